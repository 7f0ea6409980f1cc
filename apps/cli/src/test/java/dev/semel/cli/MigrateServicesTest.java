package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.Key;
import dev.semel.cli.connect.StoreUrls;
import dev.semel.idempotency.spi.Store;
import dev.semel.idempotency.spi.StoredRecord;
import dev.semel.internal.Ids;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.testservices.MariaDbService;
import dev.semel.testservices.PostgresService;
import dev.semel.testservices.RedisClusterService;
import dev.semel.testservices.RedisService;
import dev.semel.testservices.SharedServices;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Moves each store to another kind of store while applications use it. */
@Tag("service")
@ExtendWith(SharedServices.class)
class MigrateServicesTest {
  private static final int KEYS = 120;

  /** Number of steps before a move begins, and while it runs. */
  private static final int STEPS = 100;

  @TempDir Path folder;

  /** No other test uses it. */
  private final String tenant = "m" + Ids.uuid7();

  private final Map<Key, Integer> effects = new ConcurrentHashMap<>();

  @Test
  void fromSqliteToPostgres(PostgresService postgres) throws Exception {
    move("sqlite:moving.db", postgres.freshDatabase().url(), 1);
  }

  @Test
  void fromPostgresToMariaDb(PostgresService postgres, MariaDbService mariadb) throws Exception {
    move(postgres.freshDatabase().url(), mariadb.freshDatabase().url(), 2);
  }

  @Test
  void fromMariaDbToRedis(MariaDbService mariadb, RedisService redis) throws Exception {
    move(mariadb.freshDatabase().url(), redis.url(), 3);
  }

  @Test
  void fromRedisToRedisCluster(RedisService redis, RedisClusterService cluster) throws Exception {
    move(redis.url(), cluster.url(), 4);
  }

  @Test
  void fromRedisClusterToSqlite(RedisClusterService cluster) throws Exception {
    move(cluster.url(), "sqlite:moving.db", 5);
  }

  /**
   * Moves once while applications run, and once more when they have stopped; then they continue on
   * the target.
   */
  private void move(String from, String to, long seed) throws Exception {
    Cli cli = new Cli(folder).with("SEMEL_MIGRATE_FROM", from).with("SEMEL_MIGRATE_TO", to);
    try (Store source = StoreUrls.open(from, folder);
        Store target = StoreUrls.open(to, folder);
        MovingLoad load = MovingLoad.start(source, tenant, KEYS, effects, seed)) {
      await().until(() -> load.steps() >= STEPS);
      Cli.Result live = migrate(cli);
      assertThat(live.code()).as(live.out() + live.err()).isZero();
      long during = load.steps();
      await().until(() -> load.steps() >= during + STEPS);
      load.stop();

      Cli.Result rest = migrate(cli);
      assertThat(rest.code()).as(rest.out() + rest.err()).isZero();
      Map<Key, StoredRecord> moved = MovedRecords.assertAllThere(source, target, tenant + "/");
      JsonObject again = migrate(cli).json();
      assertThat(MovedRecords.number(again, "copied")).isZero();
      assertThat(MovedRecords.number(again, "updated")).isZero();
      assertThat(MovedRecords.number(again, "already_there")).isGreaterThanOrEqualTo(moved.size());

      MovedRecords.assertGoesOn(target, moved, new HashMap<>(load.held()));
      try (MovingLoad after = MovingLoad.start(target, tenant, KEYS, effects, seed + 100)) {
        await().until(() -> after.steps() >= STEPS);
        after.stop();
      }
      assertThat(effects).isNotEmpty().allSatisfy((key, n) -> assertThat(n).isEqualTo(1));
      Cli.Result last = migrate(cli);
      assertThat(last.code())
          .as("what is newer in the target stays, and is no conflict: " + last.out() + last.err())
          .isZero();
      moved.forEach(
          (key, record) -> {
            if (record.state().ended()) {
              assertThat(target.idempotency().find(key).orElseThrow().token())
                  .isEqualTo(record.token());
            }
          });
    }
  }

  private static Cli.Result migrate(Cli cli) {
    Cli.Result result = cli.call("migrate", "-o", "json");
    if (!result.out().isEmpty()) {
      MovedRecords.assertAddsUp(result.json());
    }
    return result;
  }
}

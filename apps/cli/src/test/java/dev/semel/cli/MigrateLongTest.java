package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.Key;
import dev.semel.cli.connect.StoreUrls;
import dev.semel.idempotency.spi.Store;
import dev.semel.idempotency.spi.StoredRecord;
import dev.semel.internal.Ids;
import dev.semel.junit.proof.ProofRun;
import dev.semel.testservices.PostgresService;
import dev.semel.testservices.RedisService;
import dev.semel.testservices.SharedServices;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Migrations that are killed repeatedly while applications write. */
@Tag("proof")
@ExtendWith(SharedServices.class)
class MigrateLongTest {
  private static final int ROUNDS = ProofRun.volume(12, 120);
  private static final int KEYS = 20_000;

  @TempDir Path folder;
  private final String tenant = "m" + Ids.uuid7();
  private final Map<Key, Integer> effects = new ConcurrentHashMap<>();

  private TestReporter report;

  @BeforeEach
  void reportTo(TestReporter report) {
    this.report = report;
  }

  @Test
  void nothingIsLostFromSqliteToPostgres(PostgresService postgres) throws Exception {
    killAndMove("sqlite:moving.db", postgres.freshDatabase().url());
  }

  @Test
  void nothingIsLostFromPostgresToRedis(PostgresService postgres, RedisService redis)
      throws Exception {
    killAndMove(postgres.freshDatabase().url(), redis.url() + "/4");
  }

  private void killAndMove(String from, String to) throws Exception {
    long seed = ProofRun.seed();
    report.publishEntry("seed", "" + seed);
    int killed = 0;
    Random random = new Random(seed);
    try (Store source = StoreUrls.open(from, folder);
        Store target = StoreUrls.open(to, folder);
        MovingLoad load = MovingLoad.start(source, tenant, KEYS, effects, seed)) {
      // One runs to its end, so that the kills of the others spread over a whole run.
      long before = load.steps();
      runUntil(from, to, () -> false);
      long life = Math.max(1, load.steps() - before);
      for (int round = 0; round < ROUNDS; round++) {
        long end = load.steps() + random.nextLong(life);
        killed += runUntil(from, to, () -> load.steps() >= end) ? 1 : 0;
      }
      load.stop();
      report.publishEntry(Map.of("kills", "" + killed, "keys", "" + effects.size()));
      assertThat(killed).as("migrations that were killed, seed %d", seed).isPositive();
      Cli cli = new Cli(folder).with("SEMEL_MIGRATE_FROM", from).with("SEMEL_MIGRATE_TO", to);
      Cli.Result went = cli.call("migrate", "-o", "json");
      assertThat(went.code()).as("seed %d: %s", seed, went.err()).isZero();
      Cli.Result rest = cli.call("migrate", "-o", "json");
      assertThat(rest.code()).as("seed %d: %s", seed, rest.err()).isZero();
      MovedRecords.assertAddsUp(rest.json());
      Map<Key, StoredRecord> moved = MovedRecords.assertAllThere(source, target, tenant + "/");
      MovedRecords.assertGoesOn(target, moved, new HashMap<>(load.held()));
      assertThat(effects).isNotEmpty().allSatisfy((key, n) -> assertThat(n).isEqualTo(1));
    }
  }

  /** Returns whether it was killed, because it lived until then. */
  private boolean runUntil(String from, String to, BooleanSupplier then) throws Exception {
    SemelProcess process = SemelProcess.start(folder, "migrate", "--from", from, "--to", to);
    await().until(() -> then.getAsBoolean() || !process.isAlive());
    boolean alive = process.isAlive();
    process.kill();
    return alive;
  }
}

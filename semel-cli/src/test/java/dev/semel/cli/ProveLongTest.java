package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.testservices.MariaDbService;
import dev.semel.testservices.PostgresService;
import dev.semel.testservices.RedisClusterService;
import dev.semel.testservices.RedisService;
import dev.semel.testservices.Services;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A minute of every fault on every store, with a seed of the day that is printed. */
@Tag("proof")
@ExtendWith(Services.class)
class ProveLongTest {
  @TempDir Path folder;

  @Test
  void sqlite() {
    keepsThePromise("sqlite:" + folder.resolve("proof.db"));
  }

  @Test
  void postgres(PostgresService postgres) {
    keepsThePromise(postgres.freshDatabase().url());
  }

  @Test
  void mariaDb(MariaDbService mariadb) {
    keepsThePromise(mariadb.freshDatabase().url());
  }

  @Test
  void redis(RedisService redis) {
    keepsThePromise(redis.url() + "/5");
  }

  @Test
  void redisCluster(RedisClusterService cluster) {
    keepsThePromise(cluster.url());
  }

  private void keepsThePromise(String store) {
    long seed = System.nanoTime();
    System.out.println("proof: seed " + seed);
    Cli.Result result =
        new Cli(folder)
            .with("SEMEL_STORE", store)
            .call("prove", "--seconds", "60", "--seed", Long.toString(seed));

    System.out.println(result.out());
    assertThat(result.code()).as(result.out() + result.err()).isZero();
  }
}

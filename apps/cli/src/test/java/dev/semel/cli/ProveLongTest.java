package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.json.Json;
import dev.semel.json.JsonValue.JsonArray;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.junit.proof.ProofRun;
import dev.semel.testservices.MariaDbService;
import dev.semel.testservices.PostgresService;
import dev.semel.testservices.RedisClusterService;
import dev.semel.testservices.RedisService;
import dev.semel.testservices.SharedServices;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Every fault on every store. */
@Tag("proof")
@ExtendWith(SharedServices.class)
class ProveLongTest {
  @TempDir Path folder;

  private TestReporter report;

  @BeforeEach
  void reportTo(TestReporter report) {
    this.report = report;
  }

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
    long seed = ProofRun.seed();
    report.publishEntry("seed", "" + seed);
    Cli.Result result =
        new Cli(folder)
            .with("SEMEL_STORE", store)
            .call(
                "prove",
                "--seconds",
                "" + ProofRun.volume(60, 600),
                "--seed",
                Long.toString(seed),
                "-o",
                "json");

    System.out.println(result.out());
    assertThat(result.code()).as(result.out() + result.err()).isZero();
    JsonObject counts = (JsonObject) result.json().get("counts").orElseThrow();
    JsonArray faults = (JsonArray) result.json().get("faults").orElseThrow();
    report.publishEntry(
        Map.of(
            "keys", Json.write(counts.get("keys").orElseThrow()),
            "calls", Json.write(counts.get("calls").orElseThrow()),
            "faults", "" + faults.items().size()));
  }
}

package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.testservices.MariaDbService;
import dev.semel.testservices.PostgresService;
import dev.semel.testservices.RedisService;
import dev.semel.testservices.SharedServices;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Commands of operators, on stores that machines share. */
@Tag("service")
@ExtendWith(SharedServices.class)
class CommandsOnServicesTest {
  @TempDir Path folder;

  @Test
  void onRedis() {
    try (RedisService redis = RedisService.start("--appendfsync", "always")) {
      check(redis.url(), "ok\tengine\tRedis ");
      assertThat(doctor(redis.url()).out())
          .contains(", maxmemory-policy noeviction, an append-only file (appendfsync always)\n");
    }
  }

  @Test
  void onPostgres(PostgresService postgres) {
    check(postgres.freshDatabase().url(), "ok\tschema\tthe tables are of version ");
  }

  @Test
  void onMariaDb(MariaDbService mariadb) {
    check(mariadb.freshDatabase().url(), "ok\tschema\tthe tables are of version ");
  }

  private Cli.Result doctor(String store) {
    return new Cli(folder).with("SEMEL_STORE", store).call("doctor", "-o", "plain");
  }

  private void check(String store, String setUp) {
    Cli cli = new Cli(folder).with("SEMEL_STORE", store);
    cli.call("run", "--key", "svc:1", "--", "true");
    cli.call("run", "--key", "svc:1", "--", "true");

    assertThat(cli.call("export", "keys", "--format", "jsonl").out()).hasLineCount(1);
    assertThat(cli.call("export", "events", "--format", "csv").out()).hasLineCount(4);
    assertThat(cli.call("keys", "watch", "--all", "--count", "3", "-o", "jsonl").out())
        .hasLineCount(3)
        .contains("\"kind\":\"replayed\"");
    assertThat(cli.call("keys", "inspect", "svc:1", "--life-line", "-o", "plain").out())
        .contains("\tevents\treplayed\t", "\trecord\texpires\t");
    assertThat(cli.call("advise").out())
        .isEqualTo(
            "nothing to tune\nsvc: 1 duplicate so far; with fewer than 1,000 nothing is said about the retention\n");
    Cli.Result bench = cli.call("bench", "--seconds", "1", "--threads", "1", "-o", "plain");
    assertThat(bench.code()).isZero();
    assertThat(bench.out()).hasLineCount(3);
    assertThat(cli.call("keys", "list", "--all", "-o", "jsonl").out()).hasLineCount(1);
    Cli.Result doctor = doctor(store);
    assertThat(doctor.out()).contains(setUp).contains("\tlatency\t").doesNotContain("secret");
    assertThat(cli.call("config", "check").out()).doesNotContain("secret");
  }
}

package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.testservices.MariaDbService;
import dev.semel.testservices.PostgresService;
import dev.semel.testservices.RedisService;
import dev.semel.testservices.SharedServices;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Runs commands on stores that machines share. */
@Tag("service")
@ExtendWith(SharedServices.class)
class ServicesTest {
  @TempDir Path folder;

  @Test
  @Tag("proof")
  void twelveProcessesOnRedisThatWaitGetOneRunsOutputAndCode(
      RedisService redis, TestReporter report) throws Exception {
    report.publishEntry("processes", "12");
    RacingCallers.processes(folder, on(redis), 12).waiting();
  }

  @Test
  void callersOnRedisThatDoNotWaitAreToldOrInFlight(RedisService redis) throws Exception {
    RacingCallers.threads(folder, on(redis), 8).notWaiting();
  }

  /** In a database that no other class uses, because statistics cover all callers. */
  private static String on(RedisService redis) {
    return redis.url() + "/1";
  }

  @Test
  void keysAndStatisticsOnRedisAreThoseOfAllCallers(RedisService redis) {
    checkCommands(on(redis));
  }

  @Test
  void callersOnPostgresThatWaitGetOneRunsOutputAndCode(PostgresService postgres) throws Exception {
    RacingCallers.threads(folder, postgres.freshDatabase().url(), 8).waiting();
  }

  @Test
  void keysAndStatisticsOnPostgresAreThoseOfAllCallers(PostgresService postgres) {
    checkCommands(postgres.freshDatabase().url());
  }

  @Test
  void callersOnMariaDbThatWaitGetOneRunsOutputAndCode(MariaDbService mariadb) throws Exception {
    RacingCallers.threads(folder, mariadb.freshDatabase().url(), 8).waiting();
  }

  @Test
  void keysAndStatisticsOnMariaDbAreThoseOfAllCallers(MariaDbService mariadb) {
    checkCommands(mariadb.freshDatabase().url());
  }

  @Test
  void passwordThatMariaDbRefusesIsNotShown(MariaDbService mariadb) {
    String url = mariadb.freshDatabase().url().replace(":secret@", ":not-secret@");
    Cli.Result refused = new Cli(folder).with("SEMEL_STORE", url).call("keys", "list");
    assertThat(refused.code()).isEqualTo(ExitCode.UNREACHABLE);
    assertThat(refused.out() + refused.err()).contains("Access denied").doesNotContain("secret");
  }

  private void checkCommands(String store) {
    Cli cli = new Cli(folder).with("SEMEL_STORE", store);
    cli.call("stats", "reset", "-y");
    String key = "svc:" + folder.getFileName();

    assertThat(cli.call("run", "--key", key, "--", "echo", "hi").out()).isEqualTo("hi\n");
    assertThat(cli.call("run", "--key", key, "--", "echo", "hi").out()).isEqualTo("hi\n");
    assertThat(cli.call("keys", "list", "--prefix", key, "-o", "plain").out())
        .startsWith("default/" + key + "\tcompleted\t1\t");
    assertThat(cli.call("stats", "-o", "plain").out()).contains("requests\t2\n", "replays\t1\n");
    assertThat(cli.call("stats").out()).contains("active").doesNotContain("secret");
    assertThat(cli.call("keys", "release", key, "-y").code()).isZero();
    assertThat(cli.call("keys", "delete", key, "-y").code()).isZero();
    assertThat(cli.call("keys", "inspect", key).code()).isEqualTo(ExitCode.NOT_FOUND);
    assertThat(cli.call("cleanup").code()).isZero();
  }
}

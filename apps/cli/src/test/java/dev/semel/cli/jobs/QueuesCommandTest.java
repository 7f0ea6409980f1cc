package dev.semel.cli.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.cli.Cli;
import dev.semel.cli.ExitCode;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueuesCommandTest {
  @TempDir Path folder;
  private Cli cli;

  @BeforeEach
  void start() {
    cli = new Cli(folder);
  }

  @Test
  void anOperationIsListedOnceUsedOrSet() {
    assertThat(cli.call("queues", "list").err()).contains("no operations yet");
    cli.call("run", "--key", "job:1", "--", "true");
    cli.call("run", "--key", "job:1", "--", "true");
    cli.call("queues", "set", "payments", "retention=7d", "mode=observe");

    assertThat(cli.call("queues", "list").out().lines())
        .anyMatch(line -> line.matches("job +enforce +2 +1 +50\\.0 % +-"))
        .anyMatch(line -> line.matches("payments +observe +0 +0 +0\\.0 % +retention=7d"));
    assertThat(cli.call("queues", "list", "-o", "jsonl").out().lines())
        .contains(
            "{\"operation\":\"payments\",\"mode\":\"observe\",\"requests\":0,\"duplicates\":0,"
                + "\"hit_rate\":0,\"version\":1,"
                + "\"settings\":{\"mode\":\"observe\",\"retention\":\"7d\"}}");
    assertThat(cli.call("queues", "list", "-o", "plain").out()).contains("job\tenforce\t2\t1\t-\n");
    assertThat(cli.call("queues", "list", "-o", "json").json().members())
        .containsOnlyKeys("queues");
  }

  @Test
  void whatIsSetAppliesToTheNextRun() {
    cli.call("queues", "set", "job", "mode=off");
    for (int i = 0; i < 2; i++) {
      assertThat(cli.call("run", "--key", "job:1", "--", "echo", "ran").out()).isEqualTo("ran\n");
    }
    assertThat(cli.call("keys", "list", "-o", "plain").out()).isEmpty();
    assertThat(cli.call("stats", "-o", "plain").out()).contains("unguarded\t2\n");
  }

  @Test
  void eachChangeIsAVersionAndAnEmptyValueTakesASettingAway() {
    assertThat(cli.call("queues", "set", "job", "lease=1m", "retention=7d").out())
        .startsWith("job: version 1\n")
        .contains("lease")
        .contains("7d");
    assertThat(cli.call("queues", "set", "job", "lease=", "-o", "json").out())
        .isEqualTo("{\"operation\":\"job\",\"version\":2,\"settings\":{\"retention\":\"7d\"}}\n");
  }

  @Test
  void lettingDuplicatesRunIsSaidAloud() {
    assertThat(cli.call("queues", "set", "job", "mode=off").err())
        .contains("duplicates of job now run");
    assertThat(cli.call("queues", "set", "job", "mode=enforce").err()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"lease", "lease=soon", "colour=red", "=1s", "lease=25h", "mode=maybe"})
  void whatMakesNoSenseChangesNothing(String change) {
    Cli.Result result = cli.call("queues", "set", "job", "retention=7d", change);
    assertThat(result.code()).isEqualTo(ExitCode.USAGE);
    assertThat(result.err()).isNotEmpty();
    assertThat(cli.call("queues", "list", "-o", "plain").out()).isEmpty();
  }

  @Test
  void aNameThatNoOperationCanHaveIsRefused() {
    assertThat(cli.call("queues", "set", "a/b", "lease=1m").code()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void configShowsEachValuesOriginAndNoPassword() {
    cli.with("SEMEL_STORE", "redis://ann:secret@db1:6379/2");
    Cli.Result shown = cli.call("config", "show", "-o", "plain");
    assertThat(shown.out())
        .contains("store\tredis://db1:6379/2\tSEMEL_STORE\n")
        .contains("output\tplain\tcommand line\n")
        .contains("log\toff\tdefault\n")
        .doesNotContain("secret");
    assertThat(new Cli(folder).call("config", "show").out())
        .contains("NAME", "semel.db", "the data folder");
  }
}

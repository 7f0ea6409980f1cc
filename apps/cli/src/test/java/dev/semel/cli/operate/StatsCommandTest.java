package dev.semel.cli.operate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.cli.Cli;
import dev.semel.cli.ExitCode;
import dev.semel.cli.Records;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StatsCommandTest {
  @TempDir Path folder;
  private Cli cli;

  @BeforeEach
  void start() {
    cli = new Cli(folder);
  }

  private void askThreeTimes() {
    cli.call("run", "--key", "job:1", "--", "true");
    cli.call("run", "--key", "job:1", "--", "true");
    cli.call("run", "--key", "job:1", "--", "false");
  }

  @Test
  void countsAreThoseOfEarlierProcesses() {
    askThreeTimes();

    JsonObject stats = cli.call("stats", "-o", "json").json();
    JsonObject total = (JsonObject) stats.get("total").orElseThrow();

    assertThat(total.get("requests")).contains(JsonValue.of(3));
    assertThat(total.get("executed")).contains(JsonValue.of(1));
    assertThat(total.get("duplicates")).contains(JsonValue.of(1));
    assertThat(total.get("replays")).contains(JsonValue.of(1));
    assertThat(total.get("mismatches")).contains(JsonValue.of(1));
    assertThat(stats.get("active_keys")).contains(JsonValue.of(1));
    assertThat(stats.members().keySet())
        .containsExactly(
            "store", "now", "total", "operations", "trend", "active_keys", "bytes", "exact");
  }

  @Test
  void tableNamesEachOperationAndTheHitRate() {
    askThreeTimes();

    assertThat(cli.call("stats").out().lines())
        .anyMatch(line -> line.matches("default/job +3 +1 +1 +1 +1 +33\\.3 % +[·▁-█]{24}"))
        .anyMatch(line -> line.matches("total +3 .*"))
        .anyMatch(line -> line.startsWith("1 active key, "))
        .noneMatch(line -> line.contains("TAKEOVERS"));
    assertThat(cli.call("stats", "-o", "json").out())
        .containsPattern("\"duplicate_ages\":\\{\"\\d+[sm]\":1}");
    assertThat(cli.call("stats", "-o", "plain").out()).contains("hit_rate\t0.3333\n");
    assertThat(cli.call("stats", "-o", "jsonl").out().lines()).hasSize(2);
  }

  @Test
  void resetAsksAndThenAllCountsAreZero() {
    askThreeTimes();

    Cli.Result refused = cli.call("stats", "reset");
    assertThat(refused.code()).isEqualTo(ExitCode.USAGE);
    assertThat(refused.err()).contains("1 operation", "-y");

    assertThat(cli.call("stats", "reset", "-y").code()).isZero();
    assertThat(cli.call("stats", "-o", "plain").out()).contains("requests\t0\n");
    assertThat(cli.call("keys", "list", "-o", "jsonl").out().lines()).hasSize(1);
  }

  @Test
  void cleanupRemovesWhatHasExpiredAndSaysHowMuch() {
    for (int i = 0; i < 3; i++) {
      Token unused =
          Records.claimed(
              cli.database(), Key.of("old", "k" + i), Duration.ofHours(2), Duration.ofHours(1));
    }
    askThreeTimes();

    Cli.Result no = new Cli(folder).typing("n\n").call("cleanup");
    assertThat(no.code()).isZero();
    assertThat(no.err())
        .contains("This removes 3 records whose retention has ended", "nothing was done");
    assertThat(cli.call("cleanup", "-o", "json").out()).isEqualTo("{\"removed\":3}\n");
    assertThat(cli.call("cleanup").out()).isEqualTo("removed 0 records\n");
    assertThat(cli.call("keys", "list", "-o", "jsonl").out().lines()).hasSize(1);
  }
}

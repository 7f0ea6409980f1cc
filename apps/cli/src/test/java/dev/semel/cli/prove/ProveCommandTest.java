package dev.semel.cli.prove;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.cli.Cli;
import dev.semel.json.JsonValue.JsonArray;
import dev.semel.json.JsonValue.JsonBoolean;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Proofs on stores that need no server. */
class ProveCommandTest {
  @TempDir Path folder;

  @Test
  void memoryKeepsThePromiseWhileSomeoneWatchesAndItsHazardIsNamed() throws IOException {
    Cli.Result result =
        new Cli(folder)
            .onTerminal()
            .with("NO_COLOR", "1")
            .call("prove", "--store", "memory:", "--seconds", "2", "--seed", "7");

    assertThat(result.code()).as(result.out()).isZero();
    assertThat(result.err()).containsPattern("[12] s left · .* executions · \\d+ faults");
    assertThat(result.out())
        .contains("Nothing ran twice, nothing was lost", "seed 7", "forgets every record")
        .contains("left out: silent, kill, because")
        .contains("Report: " + folder.resolve("semel-proof.html"));
    assertThat(Files.readString(folder.resolve("semel-proof.html")))
        .startsWith("<!doctype html>")
        .contains("Nothing ran twice", "forgets every record", "seed 7");
  }

  @Test
  void killedAndStoppedWorkersLeaveSqliteWithoutADoubleAndWithoutARunsKeys() {
    Cli cli = new Cli(folder);
    Cli.Result result =
        cli.call("prove", "--seconds", "3", "--workers", "2", "--seed", "1", "-o", "json");

    assertThat(result.code()).as(result.out()).isZero();
    assertThat(result.err()).isEmpty();
    assertThat(result.json().get("proved")).contains(new JsonBoolean(true));
    assertThat(((JsonArray) result.json().get("faults").orElseThrow()).items()).isNotEmpty();
    assertThat(result.out()).contains("\"fault\":\"kill\"", "\"left_out\":[\"delay\"");
    assertThat(cli.call("keys", "list", "-o", "plain").out()).isEmpty();
  }
}

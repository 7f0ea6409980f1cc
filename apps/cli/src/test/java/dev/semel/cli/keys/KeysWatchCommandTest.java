package dev.semel.cli.keys;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.cli.Cli;
import dev.semel.cli.ExitCode;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonArray;
import dev.semel.loop.internal.Loop;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeysWatchCommandTest {
  @TempDir Path folder;
  private Cli cli;

  @BeforeEach
  void start() {
    cli = new Cli(folder);
  }

  private void run(String key) {
    cli.call("run", "--key", key, "--", "true");
  }

  @Test
  void whatThereIsCanBeShownFirst() {
    run("job:1");
    run("job:1");
    run("other:1");
    Cli.Result table = cli.call("keys", "watch", "--all", "--prefix", "job:", "--count", "3");
    assertThat(table.code()).isZero();
    assertThat(table.out().lines())
        .hasSize(3)
        .allMatch(line -> line.contains("default/job:1"))
        .anyMatch(line -> line.contains("replayed"));
    assertThat(
            cli.call("keys", "watch", "--all", "--kind", "replayed", "--count", "1", "-o", "json")
                .json()
                .get("events")
                .map(events -> ((JsonArray) events).items().size()))
        .contains(1);
    assertThat(cli.call("keys", "watch", "--all", "--count", "5", "-o", "jsonl").out())
        .hasLineCount(5);
    assertThat(cli.call("keys", "watch", "--all", "--count", "1", "-o", "plain").out())
        .contains("\tclaimed\tdefault/job:1\t");
  }

  @Test
  void whatWasBeforeIsNotShownAndTheTimeEnds() {
    run("job:1");
    Cli.Result nothing = cli.call("keys", "watch", "--seconds", "1", "-o", "json");
    assertThat(nothing.code()).isZero();
    assertThat(nothing.json().get("events"))
        .contains(new JsonArray(java.util.List.<JsonValue>of()));
  }

  @Test
  void whatComesIsShownAsItComes() throws Exception {
    CompletableFuture<Cli.Result> watching = new CompletableFuture<>();
    Cli other = new Cli(folder);
    run("job:0");
    Loop.beside(
        "watch",
        () ->
            watching.complete(
                other.call("keys", "watch", "--kind", "claimed", "--count", "2", "-o", "jsonl")));
    for (int i = 1; !watching.isDone(); i++) {
      run("job:" + i);
    }
    assertThat(watching.get().out().lines())
        .hasSize(2)
        .allMatch(line -> line.contains("\"kind\":\"claimed\""))
        .noneMatch(line -> line.contains("\"id\":\"0\""));
  }

  @Test
  void numbersMakeSense() {
    assertThat(cli.call("keys", "watch", "--count", "0").code()).isEqualTo(ExitCode.USAGE);
    assertThat(cli.call("keys", "watch", "--seconds", "-1").code()).isEqualTo(ExitCode.USAGE);
  }
}

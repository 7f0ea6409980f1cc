package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.cli.connect.JobQueues;
import dev.semel.json.Json;
import dev.semel.json.JsonValue.JsonArray;
import dev.semel.json.JsonValue.JsonObject;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code audit list -f} shows each existing and each new line once. */
class AuditFollowTest {
  @TempDir Path folder;
  private Cli cli;

  @BeforeEach
  void start() {
    cli = new Cli(folder);
    run("before");
  }

  private void run(String id) {
    assertThat(cli.call("run", "--key", "mail:" + id, "--", "true").code()).isZero();
  }

  @Test
  void whatIsThereAndWhatComesIsShownOnce() throws Exception {
    try (RunningCommand following =
        cli.start("audit", "list", "--follow", "--kind", "completed", "-o", "jsonl")) {
      await().until(() -> following.outSoFar().contains("\"id\":\"before\""));
      run("one");
      await().until(() -> following.outSoFar().contains("\"id\":\"one\""));
      run("two");
      await().until(() -> following.outSoFar().contains("\"id\":\"two\""));
      assertThat(following.isAlive()).isTrue();
      assertThat(following.outSoFar().lines())
          .hasSize(3)
          .allMatch(line -> line.contains("\"kind\":\"completed\""));
    }
  }

  @Test
  void oneKeyAloneWithoutWhatIsPersonalAndOnlyWhatComes() throws Exception {
    try (RunningCommand following =
        cli.start("audit", "list", "-f", "--key", "mail:wanted", "--limit", "0", "--mask")) {
      // The first of them may come before it reads; later ones come after.
      await()
          .until(
              () -> {
                run("other");
                run("wanted");
                return following.outSoFar().contains("replayed");
              });
      assertThat(following.outSoFar()).contains("(erased)").doesNotContain("wanted", "other");
    }
  }

  /** 128 and the signal's number, as shells count. */
  private static final int TERMINATED = 143;

  @Test
  void aSignalEndsItAndLeavesAWholeDocument() throws Exception {
    SemelProcess following = SemelProcess.start(folder, "audit", "list", "-f", "-o", "json");
    await().until(() -> following.outSoFar().contains("before"));
    following.terminate(); // background children of a build ignore Ctrl-C
    Cli.Result result = following.await();
    assertThat(result.code()).isEqualTo(TERMINATED);
    assertThat(result.err()).isEmpty();
    JsonObject document = (JsonObject) Json.parse(result.outBytes());
    assertThat(((JsonArray) document.get("events").orElseThrow()).items()).hasSize(2);
  }

  @Test
  void whenNobodyReadsAnyMoreItEnds() throws Exception {
    AtomicBoolean gone = new AtomicBoolean();
    ByteArrayOutputStream read = new ByteArrayOutputStream();
    OutputStream pipe =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            if (gone.get()) {
              throw new IOException("Broken pipe");
            }
            read.write(b);
          }
        };
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    StandardStreams streams =
        new StandardStreams(
            new ByteArrayInputStream(new byte[0]),
            new PrintStream(pipe, false, StandardCharsets.UTF_8),
            new PrintStream(err, false, StandardCharsets.UTF_8),
            "");
    Environment around =
        new Environment(Map.of("SEMEL_DATA", folder.resolve("data").toString()), folder, streams);
    CompletableFuture<Integer> ended = new CompletableFuture<>();
    Thread following =
        Thread.ofPlatform()
            .start(
                () ->
                    ended.complete(
                        SemelCommand.execute(around, JobQueues.KNOWN, "audit", "list", "-f")));
    await().until(() -> read.toString(StandardCharsets.UTF_8).contains("before"));
    gone.set(true);
    run("after");
    following.join();
    assertThat(ended.get()).isEqualTo(ExitCode.OK);
    assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
  }

  @Test
  void withoutFollowingNothingAtAllMakesNoSense() {
    assertThat(cli.call("audit", "list", "--limit", "0").code()).isEqualTo(ExitCode.USAGE);
    assertThat(cli.call("audit", "list", "--help").out())
        .contains("-f, --follow", "semel audit list -f --kind fenced");
  }
}

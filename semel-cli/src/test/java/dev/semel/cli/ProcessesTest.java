package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What only real processes show. */
class ProcessesTest {
  @TempDir Path folder;

  @Test
  void twelveProcessesThatWaitGetOneRunsOutputAndCode() throws Exception {
    new RacingProcesses(folder, "sqlite:data/semel.db", 12).waiting();
  }

  @Test
  void twelveProcessesThatDoNotWaitAreToldOrInFlight() throws Exception {
    new RacingProcesses(folder, "sqlite:data/semel.db", 12).notWaiting();
  }

  @Test
  void standardInputReachesTheCommand() throws Exception {
    Path input = Files.write(folder.resolve("input"), new byte[] {'a', 0, -1, '\n', 'b'});

    Cli.Result result = SemelProcess.start(folder, input, "run", "--key", "a", "--", "cat").await();

    assertThat(result.code()).isZero();
    assertThat(result.outBytes()).isEqualTo(Files.readAllBytes(input));
  }

  @Test
  void processesEndWithTheCodesOfTheirCommands() throws Exception {
    assertThat(run("run", "--key", "a", "--", "sh", "-c", "exit 42").code()).isEqualTo(42);
    assertThat(run("run", "--key", "a", "--", "true").code()).isEqualTo(Exit.CONFLICT);
    assertThat(run("keys", "inspect", "nothing").code()).isEqualTo(Exit.NOT_FOUND);
    assertThat(run("keys", "list", "--store", "ftp://x").code()).isEqualTo(Exit.USAGE);
    assertThat(run("keys", "list").code()).isZero();
  }

  @Test
  void interruptedRunStopsItsCommandAndRecordsNothing() throws Exception {
    Path started = folder.resolve("started");
    String script =
        "trap 'echo stopped; exit 5' TERM; touch '%s'; while :; do sleep 0.05; done"
            .formatted(started);
    SemelProcess run = SemelProcess.start(folder, "run", "--key", "a", "--", "sh", "-c", script);
    await().until(() -> Files.exists(started));

    run.terminate();
    Cli.Result result = run.await();

    assertThat(result.code()).isEqualTo(Exit.INTERRUPTED);
    assertThat(result.out()).isEqualTo("stopped\n");
    assertThat(result.err()).contains("interrupted", "keys release default/run:a");
    Cli.Result record = new Cli(folder).call("keys", "inspect", "a", "-o", "json");
    assertThat(record.out()).contains("\"state\":\"in_flight\"", "\"payload_bytes\":0");
  }

  @Test
  void interruptWhileWaitingForAnotherLeavesThatOneAlone() throws Exception {
    Path database = folder.resolve("data").resolve("semel.db");
    dev.semel.Token unused = Records.claimed(database, dev.semel.Key.of("run", "a"), Duration.ZERO);
    SemelProcess run =
        SemelProcess.start(
            folder, "run", "--log-events", "--key", "a", "--wait", "10m", "--", "true");
    await().until(() -> asked(database));

    run.terminate();
    Cli.Result result = run.await();

    assertThat(result.code()).isEqualTo(Exit.INTERRUPTED);
    assertThat(result.err()).isEmpty();
  }

  /** The process has opened the store: SQLite's shared memory file is there only while in use. */
  private static boolean asked(Path database) {
    return Files.exists(Path.of(database + "-shm"));
  }

  private Cli.Result run(String... args) throws IOException, InterruptedException {
    return SemelProcess.start(folder, args).await();
  }

  @Test
  void keysBeyondAsciiAreKeptApart() throws Exception {
    assertThat(run("run", "--key", "é", "--", "echo", "ü").out()).isEqualTo("ü\n");

    assertThat(run("run", "--key", "è", "--", "echo", "ä").out()).isEqualTo("ä\n");
    assertThat(run("keys", "list", "-o", "plain").out().lines())
        .hasSize(2)
        .anyMatch(line -> line.startsWith("default/run:é\t"));
  }
}

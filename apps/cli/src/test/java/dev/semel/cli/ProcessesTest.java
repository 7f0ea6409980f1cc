package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What only real processes show. */
class ProcessesTest {
  @TempDir Path folder;

  @Test
  void processesThatWaitGetOneRunsOutputAndCode() throws Exception {
    RacingCallers.processes(folder, "sqlite:data/semel.db", 3).waiting();
  }

  @Test
  @Tag("proof")
  void twelveProcessesThatWaitGetOneRunsOutputAndCode() throws Exception {
    RacingCallers.processes(folder, "sqlite:data/semel.db", 12).waiting();
  }

  @Test
  @Tag("proof")
  void twelveProcessesThatDoNotWaitAreToldOrInFlight() throws Exception {
    RacingCallers.processes(folder, "sqlite:data/semel.db", 12).notWaiting();
  }

  @Test
  void callersInOneProcessThatDoNotWaitAreToldOrInFlight() throws Exception {
    RacingCallers.threads(folder, "sqlite:data/semel.db", 8).notWaiting();
  }

  @Test
  void inputOutputKeyAndCodeOfTheCommandAreThoseOfTheProcess() throws Exception {
    Path input = Files.write(folder.resolve("input"), new byte[] {'a', 0, -1, '\n', 'b'});

    Cli.Result result =
        SemelProcess.start(
                folder, input, "run", "--key", "é", "--", "sh", "-c", "cat; echo ü >&2; exit 42")
            .await();

    assertThat(result.code()).isEqualTo(42);
    assertThat(result.outBytes()).isEqualTo(Files.readAllBytes(input));
    assertThat(result.err()).startsWith("ü\n");
    assertThat(new Cli(folder).call("keys", "list", "-o", "plain").out().lines())
        .singleElement()
        .asString()
        .startsWith("default/run:é\t");
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

    assertThat(result.code()).isEqualTo(ExitCode.INTERRUPTED);
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

    assertThat(result.code()).isEqualTo(ExitCode.INTERRUPTED);
    assertThat(result.err()).isEmpty();
  }

  /**
   * Whether the process has opened the store: SQLite's shared memory file exists only while in use.
   */
  private static boolean asked(Path database) {
    return Files.exists(Path.of(database + "-shm"));
  }
}

package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Processes that ask for one key at once, on whatever store. */
final class RacingProcesses {
  private static final int CODE = 7;

  private final Path folder;
  private final Path ledger;
  private final String store;
  private final int count;

  RacingProcesses(Path folder, String store, int count) {
    this.folder = folder;
    this.ledger = folder.resolve("ledger");
    this.store = store;
    this.count = count;
  }

  /** All get the one run's output and code. */
  void waiting() throws IOException, InterruptedException {
    for (Cli.Result result : race("--wait", "60s")) {
      assertThat(result.code()).as(result.err()).isEqualTo(CODE);
      assertThat(result.out()).isEqualTo("the result\n");
      assertThat(result.err()).startsWith("the error\n");
    }
    assertThat(Files.readAllLines(ledger)).hasSize(1);
  }

  /** Each gets the one run's output and code, or is told that it is in flight. */
  void notWaiting() throws IOException, InterruptedException {
    int told = 0;
    for (Cli.Result result : race()) {
      if (result.code() == Exit.CONFLICT) {
        assertThat(result.err()).startsWith("semel: in flight");
        assertThat(result.out()).isEmpty();
      } else {
        assertThat(result.code()).as(result.err()).isEqualTo(CODE);
        assertThat(result.out()).isEqualTo("the result\n");
        told++;
      }
    }
    assertThat(told).isPositive();
    assertThat(Files.readAllLines(ledger)).hasSize(1);
  }

  private List<Cli.Result> race(String... flags) throws IOException, InterruptedException {
    List<SemelProcess> processes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      List<String> args = new ArrayList<>(List.of("run", "--key", "race:" + folder.getFileName()));
      args.addAll(List.of("--store", store));
      args.addAll(List.of(flags));
      args.addAll(
          List.of(
              "--",
              "sh",
              "-c",
              // Long enough that the others arrive while it runs; nothing depends on it.
              "echo effect >> ledger; sleep 0.5; echo the result; echo the error >&2; exit "
                  + CODE));
      processes.add(SemelProcess.start(folder, args.toArray(new String[0])));
    }
    List<Cli.Result> results = new ArrayList<>();
    for (SemelProcess process : processes) {
      results.add(process.await());
    }
    return results;
  }
}

package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Callers that ask for one key at once, on any store. */
final class RacingCallers {
  private static final int CODE = 7;

  private final Path folder;
  private final Path ledger;
  private final String store;
  private final int count;
  private final Start start;

  /** A call under way. */
  @FunctionalInterface
  private interface Call {
    Cli.Result await() throws IOException, InterruptedException;
  }

  @FunctionalInterface
  private interface Start {
    Call start(String... args);
  }

  private RacingCallers(Path folder, String store, int count, Start start) {
    this.folder = folder;
    this.ledger = folder.resolve("ledger");
    this.store = store;
    this.count = count;
    this.start = start;
  }

  /** Each caller is a process, because a store in a file distinguishes them. */
  static RacingCallers processes(Path folder, String store, int count) {
    return new RacingCallers(folder, store, count, args -> SemelProcess.start(folder, args)::await);
  }

  /** Each caller is a thread of this process, with a separate connection to the store. */
  static RacingCallers threads(Path folder, String store, int count) {
    return new RacingCallers(folder, store, count, args -> new Cli(folder).start(args)::await);
  }

  /** All get the one run's output and exit code. */
  void waiting() throws IOException, InterruptedException {
    for (Cli.Result result : race("--wait", "60s")) {
      assertThat(result.code()).as(result.err()).isEqualTo(CODE);
      assertThat(result.out()).isEqualTo("the result\n");
      assertThat(result.err()).startsWith("the error\n");
    }
    assertThat(Files.readAllLines(ledger)).hasSize(1);
  }

  /** Each gets the one run's output and exit code, or the answer that it is in flight. */
  void notWaiting() throws IOException, InterruptedException {
    int told = 0;
    for (Cli.Result result : race()) {
      if (result.code() == ExitCode.CONFLICT) {
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
    List<Call> calls = new ArrayList<>();
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
              "echo effect >> '%s'; sleep 0.5; echo the result; echo the error >&2; exit %d"
                  .formatted(ledger, CODE)));
      calls.add(start.start(args.toArray(new String[0])));
    }
    List<Cli.Result> results = new ArrayList<>();
    for (Call call : calls) {
      results.add(call.await());
    }
    return results;
  }
}

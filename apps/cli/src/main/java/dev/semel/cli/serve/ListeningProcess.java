package dev.semel.cli.serve;

import dev.semel.cli.Console;
import dev.semel.cli.ExitCode;
import dev.semel.cli.SemelCommand;
import dev.semel.cli.ShutdownSignal;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Runs a listening service until a signal asks for its end, and reports how it ended. */
final class ListeningProcess {
  private final Console console;
  private final ShutdownSignal shutdown;
  private final Duration drain;

  /**
   * @param drain how long it continues after a request to terminate; Ctrl-C never waits
   */
  ListeningProcess(SemelCommand semel, Duration drain) {
    this.console = semel.console();
    this.shutdown = semel.around().shutdown();
    this.drain = drain;
  }

  /**
   * Runs it, and returns the exit code after it is closed.
   *
   * @param start listens when it returns
   * @param announce prints the address
   * @param close drains for the given time, and then closes
   */
  <T> int run(Supplier<T> start, Consumer<T> announce, BiConsumer<T, Duration> close)
      throws InterruptedException {
    T service;
    try {
      service = start.get();
    } catch (UncheckedIOException e) {
      console.complain(e.getMessage() + ": choose another with --port, or end who has it");
      return ExitCode.UNREACHABLE;
    }
    ShutdownSignal.Request request = shutdown.await(() -> announce.accept(service));
    boolean interrupted = request == ShutdownSignal.Request.INTERRUPT;
    if (!interrupted && drain.isPositive()) {
      console.note(
          "told to stop: not ready any more, serving on for %d ms".formatted(drain.toMillis()));
    }
    try {
      close.accept(service, interrupted ? Duration.ZERO : drain);
    } catch (RuntimeException e) {
      console.complain("did not stop as it should: " + e.getMessage());
      return ExitCode.FAILED;
    }
    return interrupted ? ExitCode.INTERRUPTED : ExitCode.OK;
  }
}

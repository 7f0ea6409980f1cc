package dev.semel.cli.demo;

import dev.semel.Key;
import dev.semel.event.Event;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.ExecutionPolicy;
import dev.semel.idempotency.ExecutionRequest;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.Outcome;
import dev.semel.idempotency.TakeoverPolicy;
import dev.semel.idempotency.spi.Store;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The worker that is stopped: a separate process, with and without Semel at the same time, so that
 * both miss the same moment. Its parent process is the bank.
 */
public final class ZombieWorker {
  /** How long a worker holds its key, or its lock, without renewal. */
  static final Duration LEASE = Duration.ofSeconds(1);

  /**
   * After a worker's death the work runs again, because it checks whether it still holds the key.
   */
  static final ExecutionPolicy POLICY =
      ExecutionPolicy.defaults().withLease(LEASE).withTakeover(TakeoverPolicy.RUN_AGAIN);

  /** Line: the worker has the key, and would pay now. */
  static final String HOLDS = "holds";

  /** Answer: pay. */
  static final String PAY = "pay";

  /** Lines: it pays, on the side without Semel or on the other one. */
  static final String PAYS_WITHOUT = "pays-without";

  static final String PAYS_WITH = "pays-with";

  /** Line instead: it asked, and does not hold the key any more. */
  static final String LOST = "lost";

  /** Lines for its last write to the store: fenced, or written. */
  static final String FENCED = "fenced";

  static final String WRITTEN = "written";

  private ZombieWorker() {}

  /** Thrown by work that noticed in time that it lost the key. */
  private static final class NoLongerHeld extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** Takes the key from the first line, and does its work after the second. */
  public static void run(Store store, BufferedReader in, PrintStream out) {
    List<Event> events = new CopyOnWriteArrayList<>();
    try (Idempotency idempotency = new Idempotency(store, events::add)) {
      Outcome<String> outcome =
          idempotency.execute(
              ExecutionRequest.of(Key.parse(hear(in)), Codec.utf8()).withPolicy(POLICY),
              execution -> {
                out.println(HOLDS);
                String unused = hear(in); // the process is stopped here
                out.println(PAYS_WITHOUT);
                if (!execution.held()) {
                  out.println(LOST);
                  throw new NoLongerHeld();
                }
                out.println(PAYS_WITH);
                return "paid";
              });
      boolean recorded = outcome instanceof Outcome.Executed<String> e && e.recorded();
      out.println(recorded ? WRITTEN : FENCED);
    } catch (NoLongerHeld e) {
      out.println(events.stream().anyMatch(Event.Fenced.class::isInstance) ? FENCED : WRITTEN);
    }
  }

  /** The next line from the parent process. */
  public static String hear(BufferedReader in) {
    try {
      String line = in.readLine();
      if (line == null) {
        throw new IllegalStateException("whoever started this is gone");
      }
      return line;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

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
 * The worker that is stopped: a process of its own, with and without Semel at the same time, so
 * that both sleep through the same moment. The bank is whoever started it.
 */
public final class ZombieWorker {
  /** How long a worker has its key, or its lock, if it says nothing. */
  static final Duration LEASE = Duration.ofSeconds(1);

  /** A worker's death is answered by running again, because the work asks whether it may. */
  static final ExecutionPolicy POLICY =
      ExecutionPolicy.defaults().withLease(LEASE).withTakeover(TakeoverPolicy.RUN_AGAIN);

  /** What it says: it has the key, and would pay now. */
  static final String HOLDS = "holds";

  /** What it hears: pay. */
  static final String PAY = "pay";

  /** What it says of the side without Semel, and of the other: it pays. */
  static final String PAYS_WITHOUT = "pays-without";

  static final String PAYS_WITH = "pays-with";

  /** What it says instead: it asked, and no longer has the key. */
  static final String LOST = "lost";

  /** What it says of its last word to the store: refused, or written. */
  static final String FENCED = "fenced";

  static final String WRITTEN = "written";

  private ZombieWorker() {}

  /** Thrown by work that found in time that it is not its own any more. */
  private static final class NoLongerHeld extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** Takes the key that it is told of, and does its work when it is told to. */
  public static void run(Store store, BufferedReader in, PrintStream out) {
    List<Event> events = new CopyOnWriteArrayList<>();
    try (Idempotency idempotency = new Idempotency(store, events::add)) {
      Outcome<String> outcome =
          idempotency.execute(
              ExecutionRequest.of(Key.parse(hear(in)), Codec.utf8()).withPolicy(POLICY),
              execution -> {
                out.println(HOLDS);
                String unused = hear(in); // here it is stopped
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

  /** The next thing that it is told. */
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

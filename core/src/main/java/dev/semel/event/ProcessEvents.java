package dev.semel.event;

import dev.semel.log.internal.Log;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Passes on events about this process as a whole, which belong to no store: a background loop
 * failed, a server cut slow callers. A program listens once; the starter, {@code Semel}, and
 * servers and gateways of semel-server already do.
 */
public final class ProcessEvents {
  private static final Log LOG = Log.of("event", 1);
  private static final List<SemelListener> LISTENERS = new CopyOnWriteArrayList<>();

  private ProcessEvents() {}

  /** A listener that gets events until this is closed. */
  @FunctionalInterface
  public interface Listening extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * Passes each event to this listener, such as {@code Idempotency.listener()}.
   *
   * @return closing it stops the listener
   */
  public static Listening listen(SemelListener listener) {
    LISTENERS.add(listener);
    return () -> LISTENERS.remove(listener);
  }

  /** Throws nothing: a listener's exception is logged, and the others still get the event. */
  public static void emit(Event event) {
    for (SemelListener listener : LISTENERS) {
      try {
        listener.on(event);
      } catch (RuntimeException e) {
        LOG.warn("listener", "an event listener failed", e);
      }
    }
  }
}

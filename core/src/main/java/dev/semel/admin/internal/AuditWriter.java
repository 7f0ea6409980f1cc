package dev.semel.admin.internal;

import dev.semel.StoreException;
import dev.semel.event.Event;
import dev.semel.event.spi.EventSink;
import dev.semel.idempotency.spi.Store;
import java.time.InstantSource;

/**
 * Writes an operator's changes into the event log. For one thread, and for at most {@link
 * EventSink#MAX_NOTABLE} changes: further ones would only be counted.
 */
public final class AuditWriter {
  private final EventSink sink;
  private final String actor;
  private String last = "";

  public AuditWriter(Store store, String actor) {
    this.sink = new EventSink(store.events(), InstantSource.system(), event -> false);
    this.actor = actor;
  }

  /** Adds one change that has been made. */
  public AuditWriter add(String action, String target) {
    sink.on(new Event.Changed(actor, action, target));
    last = action;
    return this;
  }

  /** Writes all added changes. They stay made even if this fails. */
  public void write() {
    try {
      sink.flush();
    } catch (StoreException e) {
      throw new StoreException(
          "it was done (%s), but could not be written into the event log: %s"
              .formatted(last, e.getMessage()),
          e);
    }
  }
}

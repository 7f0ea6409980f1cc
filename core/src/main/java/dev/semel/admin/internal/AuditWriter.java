package dev.semel.admin.internal;

import dev.semel.StoreException;
import dev.semel.event.Event;
import dev.semel.event.spi.EventSink;
import dev.semel.idempotency.spi.Store;
import java.time.InstantSource;

/**
 * What an operator did, on its way into the event log. For one thread, and for no more than {@link
 * EventSink#MAX_NOTABLE} changes: further ones would be counted only.
 */
public final class AuditWriter {
  private final EventSink sink;
  private final String actor;
  private String last = "";

  public AuditWriter(Store store, String actor) {
    this.sink = new EventSink(store.events(), InstantSource.system(), event -> false);
    this.actor = actor;
  }

  /** One change that has been made. */
  public AuditWriter add(String action, String target) {
    sink.on(new Event.Changed(actor, action, target));
    last = action;
    return this;
  }

  /** Writes them all. They have been made, whatever comes of this. */
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

package dev.semel.outbox;

import dev.semel.event.Event;
import dev.semel.event.SemelListener;
import dev.semel.outbox.spi.OutboxEntry;
import dev.semel.transport.Message;
import dev.semel.transport.PublishResult;

/** Reports what a relay does as events. */
final class RelayEvents implements RelayListener {
  private final SemelListener listener;

  RelayEvents(SemelListener listener) {
    this.listener = listener;
  }

  @Override
  public void published(OutboxEntry message, PublishResult published) {
    emit(new Event.Published(mention(message), published.duplicate()));
  }

  @Override
  public void failed(OutboxEntry message, String reason, boolean forGood) {
    Event.Mention mention = mention(message);
    emit(new Event.PublishRefused(mention, message.attempts() + 1, reason));
    if (forGood) {
      emit(new Event.DeadLettered(mention, reason));
    }
  }

  private static Event.Mention mention(OutboxEntry queued) {
    Message message = queued.message();
    return new Event.Mention(
        message.id(),
        message.destination(),
        "",
        message.headers().getOrDefault(Message.SEMEL_KEY, ""));
  }

  /** A listener's failure must not stop the relay. */
  private void emit(Event event) {
    try {
      listener.on(event);
    } catch (RuntimeException e) {
      return; // a failing listener changes nothing
    }
  }
}

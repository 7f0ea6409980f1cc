package dev.semel.inbox;

import dev.semel.event.Event;
import dev.semel.event.SemelListener;
import dev.semel.transport.Message;

/** Reports what a consumer does as events. */
final class ConsumerEvents implements ConsumerListener {
  private final String consumer;
  private final SemelListener listener;

  ConsumerEvents(String consumer, SemelListener listener) {
    this.consumer = consumer;
    this.listener = listener;
  }

  @Override
  public void handled(Message message, HandleResult how) {
    switch (how) {
      case HandleResult.Done d -> emit(new Event.Consumed(mention(message)));
      case HandleResult.Duplicate d -> emit(new Event.Redelivered(mention(message)));
      case HandleResult.Failed f ->
          emit(new Event.HandlerFailed(mention(message), String.valueOf(f.reason())));
      case HandleResult.HeldBack h -> {} // it was not tried
      case HandleResult.InDoubt d -> {} // reported when it is a dead letter
    }
  }

  @Override
  public void buried(Message message, String reason) {
    emit(new Event.DeadLettered(mention(message), reason));
  }

  private Event.Mention mention(Message message) {
    return new Event.Mention(
        message.id(),
        message.destination(),
        consumer,
        message.headers().getOrDefault(Message.SEMEL_KEY, ""));
  }

  /** A listener's failure must not stop the consumer. */
  private void emit(Event event) {
    try {
      listener.on(event);
    } catch (RuntimeException e) {
      return; // a failing listener changes nothing
    }
  }
}

package dev.semel.micrometer;

import dev.semel.event.Event;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** Counts what relays and consumers do, by destination and by consumer. */
final class MessageMeters {
  private final LimitedMeters<Relayed> relayed;
  private final LimitedMeters<Consumed> consumed;

  MessageMeters(MeterRegistry registry, int limit) {
    this.relayed = new LimitedMeters<>(limit, destination -> new Relayed(registry, destination));
    this.consumed = new LimitedMeters<>(limit, consumer -> new Consumed(registry, consumer));
  }

  /** The meters of one destination. */
  private static final class Relayed {
    final Counter fresh;
    final Counter again;
    final Counter rebuilt;
    final Counter refused;
    final Counter dead;

    Relayed(MeterRegistry registry, String destination) {
      Counters of = new Counters(registry, "semel.outbox.", MeterTag.DESTINATION, destination);
      String published = "Messages that the broker confirmed";
      this.fresh = of.counter("published", published, "new");
      this.again = of.counter("published", published, "duplicate");
      this.rebuilt = of.counter("rebuilt", "Messages that were missing in the outbox");
      this.refused = of.counter("refused", "Messages that the broker did not take");
      this.dead = of.counter("dead", "Messages that the relay gave up");
    }
  }

  /** The meters of one consumer. */
  private static final class Consumed {
    final Counter done;
    final Counter again;
    final Counter failed;
    final Counter dead;

    Consumed(MeterRegistry registry, String consumer) {
      Counters of = new Counters(registry, "semel.inbox.", MeterTag.CONSUMER, consumer);
      String handled = "Messages that took effect, now or before";
      this.done = of.counter("consumed", handled, "done");
      this.again = of.counter("consumed", handled, "duplicate");
      this.failed = of.counter("failed", "Messages whose handler failed");
      this.dead = of.counter("dead", "Messages that their consumer gave up");
    }
  }

  private record Counters(MeterRegistry registry, String prefix, String tag, String value) {
    Counter counter(String name, String description) {
      return Counter.builder(prefix + name)
          .description(description)
          .tag(tag, value)
          .register(registry);
    }

    Counter counter(String name, String description, String outcome) {
      return Counter.builder(prefix + name)
          .description(description)
          .tag(tag, value)
          .tag(MeterTag.OUTCOME, outcome)
          .register(registry);
    }
  }

  void on(Event.Messaged event) {
    Event.Mention message = event.message();
    switch (event) {
      case Event.Published e ->
          (e.duplicate() ? relayed(message).again : relayed(message).fresh).increment();
      case Event.Rebuilt e -> relayed(message).rebuilt.increment();
      case Event.PublishRefused e -> relayed(message).refused.increment();
      case Event.Consumed e -> consumed(message).done.increment();
      case Event.Redelivered e -> consumed(message).again.increment();
      case Event.HandlerFailed e -> consumed(message).failed.increment();
      case Event.DeadLettered e ->
          (message.consumer().isEmpty() ? relayed(message).dead : consumed(message).dead)
              .increment();
    }
  }

  private Relayed relayed(Event.Mention message) {
    return relayed.of(message.destination());
  }

  private Consumed consumed(Event.Mention message) {
    return consumed.of(message.consumer());
  }
}

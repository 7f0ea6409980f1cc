package dev.semel.spring;

import dev.semel.event.Event;
import dev.semel.inbox.ConsumerListener;
import dev.semel.inbox.HandleResult;
import dev.semel.outbox.RelayListener;
import dev.semel.outbox.spi.OutboxEntry;
import dev.semel.transport.Message;
import dev.semel.transport.PublishResult;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Remembers problems that this process met and no table shows: dead letters at the broker, keys in
 * doubt, unreachable brokers. It forgets them after a while, because no event says that an operator
 * resolved a dead letter. Safe for many threads; it never waits.
 */
final class HealthWatch {
  /** The most names that are tracked separately; the rest is counted as {@link #OTHERS}. */
  static final int MAX_NAMES = 100;

  static final String OTHERS = "others";

  /** Stands for the relay; no consumer has this name. */
  private static final String RELAY = "";

  /**
   * A problem that happened at least once.
   *
   * @param ago the time since it last happened
   */
  record Met(long count, Duration ago) {}

  /** The last occurrence's time on the clock. */
  private record Seen(long count, long last) {}

  private record Trouble(String what, long last) {}

  private final LongSupplier nanos;
  private final long rememberNanos;
  private final long troubleNanos;
  private final Map<String, Seen> deadLetters = new ConcurrentHashMap<>();
  private final Map<String, Seen> inDoubt = new ConcurrentHashMap<>();
  private final Map<String, Trouble> troubles = new ConcurrentHashMap<>();

  HealthWatch(SemelProperties.HealthProperties properties) {
    this(properties, System::nanoTime);
  }

  HealthWatch(SemelProperties.HealthProperties properties, LongSupplier nanos) {
    this.nanos = nanos;
    this.rememberNanos = properties.rememberFor().toNanos();
    this.troubleNanos = properties.troubleFor().toNanos();
  }

  void on(Event event) {
    switch (event) {
      case Event.DeadLettered e -> deadLettered(e.message().consumer());
      case Event.JobBuried e -> see(deadLetters, e.key().operation().name());
      case Event.InDoubt e -> see(inDoubt, e.key().operation().name());
      case Event.Unrecorded e -> see(inDoubt, e.key().operation().name());
      default -> {}
    }
  }

  /** Ignores dead letters of an outbox, which have no consumer: its table counts them. */
  private void deadLettered(String consumer) {
    if (!consumer.isEmpty()) {
      see(deadLetters, consumer);
    }
  }

  private void see(Map<String, Seen> seen, String name) {
    long now = nanos.getAsLong();
    String known = seen.size() < MAX_NAMES || seen.containsKey(name) ? name : OTHERS;
    seen.merge(
        known,
        new Seen(1, now),
        (before, one) ->
            new Seen(isYounger(before.last(), now, rememberNanos) ? before.count() + 1 : 1, now));
  }

  private static boolean isYounger(long then, long now, long limit) {
    return now - then < limit;
  }

  /** Dead letters by consumer, or by the jobs' operation. */
  Map<String, Met> deadLetters() {
    return lately(deadLetters);
  }

  /** Keys in doubt by operation. */
  Map<String, Met> inDoubt() {
    return lately(inDoubt);
  }

  private Map<String, Met> lately(Map<String, Seen> seen) {
    long now = nanos.getAsLong();
    seen.values().removeIf(each -> !isYounger(each.last(), now, rememberNanos));
    Map<String, Met> met = new TreeMap<>();
    seen.forEach(
        (name, each) -> met.put(name, new Met(each.count(), Duration.ofNanos(now - each.last()))));
    return met;
  }

  /** The relay's last trouble; empty: none known. */
  Optional<String> relayTrouble() {
    return Optional.ofNullable(lately().get(RELAY));
  }

  /** The consumers' last troubles, by consumer name. */
  Map<String, String> consumerTroubles() {
    Map<String, String> all = lately();
    all.remove(RELAY);
    return all;
  }

  private Map<String, String> lately() {
    long now = nanos.getAsLong();
    troubles.values().removeIf(each -> !isYounger(each.last(), now, troubleNanos));
    Map<String, String> all = new TreeMap<>();
    troubles.forEach((name, each) -> all.put(name, each.what()));
    return all;
  }

  /** Uses only our own words, which contain no payloads. */
  private void troubled(String who, Exception reason) {
    String message = reason.getMessage();
    troubles.put(
        who,
        new Trouble(
            message == null ? reason.getClass().getSimpleName() : message, nanos.getAsLong()));
  }

  /** A listener that also watches the relay. */
  RelayListener and(RelayListener next) {
    return new RelayListener() {
      @Override
      public void published(OutboxEntry message, PublishResult published) {
        troubles.remove(RELAY);
        next.published(message, published);
      }

      @Override
      public void failed(OutboxEntry message, String reason, boolean forGood) {
        next.failed(message, reason, forGood);
      }

      @Override
      public void troubled(Exception reason) {
        HealthWatch.this.troubled(RELAY, reason);
        next.troubled(reason);
      }
    };
  }

  /** A listener that also watches a consumer. */
  ConsumerListener and(String consumer, ConsumerListener next) {
    return new ConsumerListener() {
      @Override
      public void handled(Message message, HandleResult how) {
        if (how.isOver()) {
          troubles.remove(consumer);
        } else if (how instanceof HandleResult.Failed failed) {
          // The exception's message may quote the payload, so this shows only its type.
          String kind = failed.reason().getClass().getSimpleName();
          troubles.put(consumer, new Trouble(kind, nanos.getAsLong()));
        }
        next.handled(message, how);
      }

      @Override
      public void buried(Message message, String reason) {
        next.buried(message, reason);
      }

      @Override
      public void troubled(Exception reason) {
        HealthWatch.this.troubled(consumer, reason);
        next.troubled(reason);
      }
    };
  }
}

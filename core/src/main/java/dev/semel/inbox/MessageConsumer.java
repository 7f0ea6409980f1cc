package dev.semel.inbox;

import dev.semel.StoreException;
import dev.semel.inbox.spi.ConsumerInbox;
import dev.semel.loop.OutageBackoff;
import dev.semel.loop.Platform;
import dev.semel.loop.internal.Loop;
import dev.semel.loop.internal.LoopFailures;
import dev.semel.transport.Message;
import dev.semel.transport.spi.ConsumerPositions;
import dev.semel.transport.spi.Delivery;
import dev.semel.transport.spi.LogPosition;
import dev.semel.transport.spi.PositionMoved;
import dev.semel.transport.spi.Subscription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Receives messages from a broker and handles each once: receive, take effect, commit, and only
 * then acknowledge. After a crash anywhere, the broker delivers the message again, and the inbox
 * knows whether it took effect. Any number of processes may consume.
 */
public final class MessageConsumer implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(1);
  private static final Duration FIRST_TROUBLE = Duration.ofMillis(50);
  private static final Duration LONGEST_TROUBLE = Duration.ofSeconds(5);

  private final ConsumerRoute route;
  private final Subscription subscription;
  private final @Nullable ConsumerPositions positions;
  private final ConsumerSettings settings;
  private final ConsumerReport report;
  private final DeliverySettler settler;
  private final OutageBackoff outage;
  private final Loop loop;
  private final Loop extending;
  private volatile List<Delivery> atWork = List.of();

  private MessageConsumer(ConsumerRoute route, ConsumerSettings settings, ConsumerReport report) {
    Platform platform = route.platform();
    this.route = route;
    this.subscription = route.subscription();
    this.positions = subscription.positions().orElse(null);
    this.settings = settings;
    this.report = report;
    this.settler = new DeliverySettler(route, settings, report);
    this.outage = new OutageBackoff(platform, FIRST_TROUBLE, LONGEST_TROUBLE);
    this.loop =
        Loop.startTimed(platform, "semel-consumer", this::turn, LONGEST_TROUBLE, report::broken);
    this.extending =
        Loop.start(platform, "semel-consumer-extends", this::extend, settings.extendEvery());
  }

  /** Starts at once. Closing it closes the subscription. */
  public static MessageConsumer start(
      String name,
      Subscription subscription,
      ConsumerInbox consumerInbox,
      DeadLetters deadLetters,
      ConsumerSettings settings) {
    return start(
        Platform.REAL,
        name,
        subscription,
        consumerInbox,
        deadLetters,
        settings,
        ConsumerListener.NONE);
  }

  /** Starts with a listener, on this machine or a simulated one. */
  public static MessageConsumer start(
      Platform platform,
      String name,
      Subscription subscription,
      ConsumerInbox consumerInbox,
      DeadLetters deadLetters,
      ConsumerSettings settings,
      ConsumerListener listener) {
    return new MessageConsumer(
        new ConsumerRoute(platform, subscription, consumerInbox, deadLetters),
        settings,
        new ConsumerReport(name, listener));
  }

  public ConsumerCounts counts() {
    return report.counts();
  }

  /** Finishes the messages it has. */
  @Override
  public void close() {
    loop.close();
    extending.close();
    subscription.close();
  }

  private long turn() throws InterruptedException {
    try {
      List<Delivery> received = subscription.receive(settings.batch(), PATIENCE);
      if (!received.isEmpty()) {
        handle(received);
      } else {
        report.lag(subscription.lag());
      }
      outage.end().ifPresent(report::recovered);
      return 0;
    } catch (StoreException e) {
      report.troubled(e);
      return outage.nextNanos();
    }
  }

  private void handle(List<Delivery> received) {
    atWork = received;
    try {
      List<LogPosition> places =
          positions == null ? List.of() : received.stream().map(MessageConsumer::place).toList();
      List<HandleResult> results = take(received, places);
      List<Delivery> over = new ArrayList<>();
      Set<Integer> numbers = new HashSet<>();
      for (int i = 0; i < received.size(); i++) {
        if (settler.settle(received.get(i), results.get(i))) {
          over.add(received.get(i));
          numbers.add(i);
        }
      }
      if (positions != null) {
        pass(
            positions,
            LogPosition.reached(places, i -> results.get(i).isOver()),
            LogPosition.reached(places, numbers::contains));
      }
      acknowledge(over);
    } finally {
      atWork = List.of();
    }
  }

  /** If the database fails, all messages come again. */
  private List<HandleResult> take(List<Delivery> received, List<LogPosition> places) {
    List<Message> messages = received.stream().map(Delivery::message).toList();
    try {
      return places.isEmpty() ? route.inbox().take(messages) : route.inbox().take(messages, places);
    } catch (StoreException e) {
      received.forEach(settler::retry);
      if (e instanceof PositionMoved) {
        subscription.reposition();
      }
      throw e;
    }
  }

  private static LogPosition place(Delivery delivery) {
    return delivery
        .place()
        .orElseThrow(() -> new IllegalStateException("a message from a log without its place"));
  }

  /**
   * Moves the position past dead letters, which no transaction of the inbox did. If that fails,
   * they are delivered again.
   */
  private void pass(
      ConsumerPositions positions, List<LogPosition> moved, List<LogPosition> reached) {
    Map<String, String> at = new HashMap<>();
    moved.forEach(step -> at.put(step.partition(), step.next()));
    List<LogPosition> rest = new ArrayList<>();
    for (LogPosition step : reached) {
      String from = at.getOrDefault(step.partition(), step.from());
      if (!from.equals(step.next())) {
        rest.add(new LogPosition(step.partition(), from, step.next()));
      }
    }
    if (!rest.isEmpty()) {
      try {
        positions.advance(report.consumer(), rest);
      } catch (StoreException e) {
        subscription.reposition();
        throw e;
      }
    }
  }

  /** The broker may deliver unconfirmed messages again; they are duplicates then. */
  private void acknowledge(List<Delivery> over) {
    try {
      subscription.acknowledge(over);
    } catch (StoreException e) {
      report.unconfirmed();
      report.troubled(e);
    }
  }

  private boolean extend() {
    for (Delivery each : atWork) {
      try {
        each.extend();
      } catch (StoreException e) {
        LoopFailures.report("semel-consumer-extends", e);
        return false; // if it is delivered again, the inbox knows it
      }
    }
    return false;
  }
}

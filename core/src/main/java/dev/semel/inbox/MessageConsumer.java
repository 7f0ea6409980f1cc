package dev.semel.inbox;

import dev.semel.StoreException;
import dev.semel.loop.Backoff;
import dev.semel.loop.Loop;
import dev.semel.loop.LoopFailures;
import dev.semel.loop.Platform;
import dev.semel.transport.ConsumerPositions;
import dev.semel.transport.Delivery;
import dev.semel.transport.LogPosition;
import dev.semel.transport.Message;
import dev.semel.transport.PositionMoved;
import dev.semel.transport.Subscription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Receive, let it take effect, commit, and only then acknowledge: a crash anywhere leaves a message
 * that is delivered again, and an inbox that knows whether it took effect. For as many processes as
 * one likes.
 */
public final class MessageConsumer implements AutoCloseable {
  private static final String IN_DOUBT =
      "in doubt: its handler was started before, and nobody knows how that ended";

  private static final Duration PATIENCE = Duration.ofSeconds(1);
  private static final Duration FIRST_TROUBLE = Duration.ofMillis(50);
  private static final Duration LONGEST_TROUBLE = Duration.ofSeconds(5);

  private final Platform platform;
  private final String name;
  private final Subscription subscription;
  private final @Nullable ConsumerPositions positions;
  private final ConsumerInbox consumerInbox;
  private final DeadLetters deadLetters;
  private final ConsumerSettings settings;
  private final ConsumerListener listener;
  private final Loop loop;
  private final Loop extending;
  private volatile List<Delivery> atWork = List.of();
  private volatile ConsumerCounts counts = ConsumerCounts.NONE;
  private final ConsumerLog log;
  private @Nullable Backoff trouble;
  private long troubledSince;

  private MessageConsumer(
      Platform platform,
      String name,
      Subscription subscription,
      ConsumerInbox consumerInbox,
      DeadLetters deadLetters,
      ConsumerSettings settings,
      ConsumerListener listener) {
    this.platform = platform;
    this.name = name;
    this.subscription = subscription;
    this.positions = subscription.positions().orElse(null);
    this.consumerInbox = consumerInbox;
    this.deadLetters = deadLetters;
    this.settings = settings;
    this.listener = listener;
    this.log = new ConsumerLog(name);
    this.loop =
        Loop.startTimed(
            platform, "semel-consumer", this::turn, LONGEST_TROUBLE, listener::troubled);
    this.extending =
        Loop.start(platform, "semel-consumer-extends", this::extend, settings.extendEvery());
  }

  /** Starts at once. It closes the subscription when it is closed. */
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

  /** The same with someone who hears what it does, and on any machine. */
  public static MessageConsumer start(
      Platform platform,
      String name,
      Subscription subscription,
      ConsumerInbox consumerInbox,
      DeadLetters deadLetters,
      ConsumerSettings settings,
      ConsumerListener listener) {
    return new MessageConsumer(
        platform, name, subscription, consumerInbox, deadLetters, settings, listener);
  }

  public ConsumerCounts counts() {
    return counts;
  }

  /** Finishes what it has. */
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
        counts = withLag(subscription.lag());
      }
      if (trouble != null) {
        trouble = null;
        log.recovered(Duration.ofNanos(platform.nanos() - troubledSince));
      }
      return 0;
    } catch (StoreException e) {
      troubled(e);
      if (trouble == null) {
        trouble = new Backoff(platform, FIRST_TROUBLE, LONGEST_TROUBLE);
        troubledSince = platform.nanos();
      }
      return trouble.nextNanos();
    }
  }

  private void troubled(Exception e) {
    log.troubled(e);
    listener.troubled(e);
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
        if (settle(received.get(i), results.get(i))) {
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

  /** Where the database fails, all of them come again. */
  private List<HandleResult> take(List<Delivery> received, List<LogPosition> places) {
    List<Message> messages = received.stream().map(Delivery::message).toList();
    try {
      return places.isEmpty() ? consumerInbox.take(messages) : consumerInbox.take(messages, places);
    } catch (StoreException e) {
      received.forEach(each -> each.retry(pause(each)));
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
   * Moves on past dead letters, which no consumerInbox's transaction did. If that fails they come
   * again.
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
        positions.advance(name, rest);
      } catch (StoreException e) {
        subscription.reposition();
        throw e;
      }
    }
  }

  /** True: it is over, and to be acknowledged. */
  private boolean settle(Delivery delivery, HandleResult how) {
    boolean over =
        switch (how) {
          case HandleResult.Done d -> true;
          case HandleResult.Duplicate d -> true;
          case HandleResult.HeldBack h -> retry(delivery);
          case HandleResult.InDoubt d -> bury(delivery, reason(how));
          case HandleResult.Failed f ->
              (f.forGood() || delivery.attempt() >= settings.maxAttempts())
                  ? bury(delivery, reason(how))
                  : retry(delivery);
        };
    count(how);
    if (how instanceof HandleResult.Failed failed && !over) {
      log.failed(delivery.message(), delivery.attempt(), settings.maxAttempts(), failed.reason());
    }
    listener.handled(delivery.message(), how);
    if (over && !how.isOver()) {
      log.dead(delivery.message(), delivery.attempt(), reason(how));
      listener.buried(delivery.message(), reason(how));
    }
    return over;
  }

  private static String reason(HandleResult how) {
    return how instanceof HandleResult.Failed failed ? String.valueOf(failed.reason()) : IN_DOUBT;
  }

  private boolean retry(Delivery delivery) {
    delivery.retry(pause(delivery));
    return false;
  }

  private boolean bury(Delivery delivery, String reason) {
    try {
      deadLetters.keep(name, delivery.message(), delivery.attempt(), reason);
    } catch (RuntimeException e) { // whatever it is, it must not hold up the others
      troubled(e);
      return retry(delivery);
    }
    counts = counts.plus(0, 0, 0, 0, 1, 0);
    return true;
  }

  /** What the broker does not confirm may come again, and is a duplicate then. */
  private void acknowledge(List<Delivery> over) {
    try {
      subscription.acknowledge(over);
    } catch (StoreException e) {
      counts = counts.plus(0, 0, 0, 0, 0, 1);
      troubled(e);
    }
  }

  private Duration pause(Delivery delivery) {
    return Backoff.pause(
        settings.firstPause(), settings.longestPause(), delivery.attempt(), platform::random);
  }

  private boolean extend() {
    for (Delivery each : atWork) {
      try {
        each.extend();
      } catch (StoreException e) {
        LoopFailures.report("semel-consumer-extends", e);
        return false; // it may be delivered again: the inbox will know it
      }
    }
    return false;
  }

  private void count(HandleResult how) {
    counts =
        switch (how) {
          case HandleResult.Done d -> counts.plus(1, 1, 0, 0, 0, 0);
          case HandleResult.Duplicate d -> counts.plus(1, 0, 1, 0, 0, 0);
          case HandleResult.HeldBack h -> counts.plus(1, 0, 0, 0, 0, 0);
          case HandleResult.InDoubt d -> counts.plus(1, 0, 0, 0, 0, 0);
          case HandleResult.Failed f -> counts.plus(1, 0, 0, 1, 0, 0);
        };
  }

  private ConsumerCounts withLag(long lag) {
    ConsumerCounts now = counts;
    return new ConsumerCounts(
        now.received(),
        now.done(),
        now.duplicates(),
        now.failed(),
        now.dead(),
        now.unconfirmed(),
        lag);
  }
}

package dev.semel.inbox;

import dev.semel.StoreException;
import dev.semel.loop.Backoff;
import dev.semel.loop.Loop;
import dev.semel.loop.Machine;
import dev.semel.transport.Delivery;
import dev.semel.transport.Subscription;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * Receive, let it take effect, commit, and only then acknowledge: a crash anywhere leaves a message
 * that is delivered again, and an inbox that knows whether it took effect. For as many processes as
 * one likes.
 */
public final class Consumer implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(1);
  private static final Duration FIRST_TROUBLE = Duration.ofMillis(50);
  private static final Duration LONGEST_TROUBLE = Duration.ofSeconds(5);

  private final Machine machine;
  private final String name;
  private final Subscription subscription;
  private final Intake intake;
  private final DeadLetters deadLetters;
  private final ConsumerSettings settings;
  private final ConsumerListener listener;
  private final Loop loop;
  private final Loop extending;
  private volatile List<Delivery> atWork = List.of();
  private volatile ConsumerCounts counts = ConsumerCounts.NONE;
  private @Nullable Backoff trouble;

  private Consumer(
      Machine machine,
      String name,
      Subscription subscription,
      Intake intake,
      DeadLetters deadLetters,
      ConsumerSettings settings,
      ConsumerListener listener) {
    this.machine = machine;
    this.name = name;
    this.subscription = subscription;
    this.intake = intake;
    this.deadLetters = deadLetters;
    this.settings = settings;
    this.listener = listener;
    this.loop =
        Loop.startTimed(machine, "semel-consumer", this::turn, LONGEST_TROUBLE, listener::troubled);
    this.extending =
        Loop.start(
            machine, "semel-consumer-extends", this::extend, settings.extendEvery(), e -> {});
  }

  /** Starts at once. It closes the subscription when it is closed. */
  public static Consumer start(
      String name,
      Subscription subscription,
      Intake intake,
      DeadLetters deadLetters,
      ConsumerSettings settings) {
    return start(
        Machine.REAL, name, subscription, intake, deadLetters, settings, ConsumerListener.NONE);
  }

  /** The same with someone who hears what it does, and on any machine. */
  public static Consumer start(
      Machine machine,
      String name,
      Subscription subscription,
      Intake intake,
      DeadLetters deadLetters,
      ConsumerSettings settings,
      ConsumerListener listener) {
    return new Consumer(machine, name, subscription, intake, deadLetters, settings, listener);
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
      trouble = null;
      return 0;
    } catch (StoreException e) {
      listener.troubled(e);
      Backoff pauses =
          trouble == null ? new Backoff(machine, FIRST_TROUBLE, LONGEST_TROUBLE) : trouble;
      trouble = pauses;
      return pauses.nextNanos();
    }
  }

  private void handle(List<Delivery> received) {
    atWork = received;
    try {
      List<Handled> results = take(received);
      for (int i = 0; i < received.size(); i++) {
        settle(received.get(i), results.get(i));
      }
    } finally {
      atWork = List.of();
    }
  }

  /** Where the database fails, all of them come again. */
  private List<Handled> take(List<Delivery> received) {
    try {
      return intake.take(received.stream().map(Delivery::message).toList());
    } catch (StoreException e) {
      received.forEach(each -> each.retry(pause(each)));
      throw e;
    }
  }

  private void settle(Delivery delivery, Handled how) {
    switch (how) {
      case Handled.Done d -> acknowledge(delivery);
      case Handled.Duplicate d -> acknowledge(delivery);
      case Handled.HeldBack h -> delivery.retry(pause(delivery));
      case Handled.Failed f -> failed(delivery, f);
    }
    count(how);
    listener.handled(delivery.message(), how);
  }

  private void failed(Delivery delivery, Handled.Failed failed) {
    if (!failed.forGood() && delivery.attempt() < settings.maxAttempts()) {
      delivery.retry(pause(delivery));
      return;
    }
    try {
      deadLetters.keep(
          name, delivery.message(), delivery.attempt(), String.valueOf(failed.reason()));
    } catch (StoreException | CancellationException e) {
      listener.troubled(e);
      delivery.retry(pause(delivery));
      return;
    }
    counts = counts.plus(0, 0, 0, 0, 1, 0);
    acknowledge(delivery);
  }

  /** What the broker does not confirm may come again, and is a duplicate then. */
  private void acknowledge(Delivery delivery) {
    try {
      delivery.acknowledge();
    } catch (StoreException e) {
      counts = counts.plus(0, 0, 0, 0, 0, 1);
    }
  }

  private Duration pause(Delivery delivery) {
    long first = settings.firstPause().toNanos();
    long longest = settings.longestPause().toNanos();
    long doublings = Math.clamp(delivery.attempt() - 1, 0, 30);
    long pause = first << doublings;
    long whole = pause <= 0 || pause > longest ? longest : pause;
    return Duration.ofNanos(whole / 2 + machine.random(whole / 2 + 1));
  }

  private boolean extend() {
    for (Delivery each : atWork) {
      try {
        each.extend();
      } catch (StoreException e) {
        return false; // it may be delivered again: the inbox will know it
      }
    }
    return false;
  }

  private void count(Handled how) {
    counts =
        switch (how) {
          case Handled.Done d -> counts.plus(1, 1, 0, 0, 0, 0);
          case Handled.Duplicate d -> counts.plus(1, 0, 1, 0, 0, 0);
          case Handled.HeldBack h -> counts.plus(1, 0, 0, 0, 0, 0);
          case Handled.Failed f -> counts.plus(1, 0, 0, 1, 0, 0);
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

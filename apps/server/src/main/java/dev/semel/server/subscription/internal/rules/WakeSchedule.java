package dev.semel.server.subscription.internal.rules;

import dev.semel.loop.internal.Backoff;
import dev.semel.stream.Offset;
import dev.semel.stream.StreamPath;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Decides when to wake, when to call again, and when a wake is over. A subscription has at most one
 * wake in flight, and each wake has the next generation.
 */
public final class WakeSchedule {
  /** Limit of streams in one wake; the others come with the next. */
  static final int MAX_STREAMS = 1000;

  /** Limit of characters of their paths together. */
  private static final int MAX_TEXT = 256 << 10;

  static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  static final Duration LONGEST_PAUSE = Duration.ofSeconds(60);

  private final RandomSource chance;

  WakeSchedule(RandomSource chance) {
    this.chance = chance;
  }

  /** Issues a wake if something is pending and no wake is in flight. */
  void wakeIfDue(DecisionStep step, Subscription s) {
    if (s.wake().isEmpty() && !s.pending().isEmpty() && step.now() >= s.nextAttempt()) {
      wake(step, s);
    } else {
      step.touch(s);
    }
  }

  void wake(DecisionStep step, Subscription s) {
    step.add(
        new SubscriptionChange.Woken(
            s.id(), s.generation() + 1, chance.wakeId(), step.now(), snapshot(s)));
    step.call(s);
  }

  /** A pull-wake's worker reports how far it got, so only the first stream is needed there. */
  private static Map<StreamPath, Offset> snapshot(Subscription s) {
    int most = s.config().delivery() instanceof WakeDelivery.Webhook ? MAX_STREAMS : 1;
    Map<StreamPath, Offset> snapshot = new LinkedHashMap<>();
    int text = 0;
    for (StreamPath path : s.pending()) {
      FollowedStream link = s.link(path);
      text += path.text().length();
      if (link == null || snapshot.size() == most || text > MAX_TEXT) {
        break;
      }
      snapshot.put(path, link.tail());
    }
    return snapshot;
  }

  /** A webhook is under way: from now on its receiver has the time of a lease. */
  public void started(DecisionStep step, Subscription s) {
    if (s.config().delivery() instanceof WakeDelivery.Webhook) {
      lease(step, s);
    }
  }

  void lease(DecisionStep step, Subscription s) {
    s.now().leaseUntil(step.now() + s.config().lease().toMillis());
    step.touch(s);
  }

  /**
   * The receiver answered.
   *
   * @param done whether it is done with all of the wake
   */
  public void answered(DecisionStep step, WakeCall call, boolean done) {
    current(step, call)
        .ifPresent(
            s -> {
              s.now().calling(false);
              if (!done) {
                step.add(new SubscriptionChange.Accepted(s.id()));
                healthy(step, s);
                return;
              }
              ackSnapshot(step, s);
              healthy(step, s);
              end(step, s);
            });
  }

  private static void ackSnapshot(DecisionStep step, Subscription s) {
    Map<StreamPath, Offset> acks = new LinkedHashMap<>();
    s.wake()
        .ifPresent(
            wake ->
                wake.snapshot()
                    .forEach(
                        (path, offset) -> {
                          FollowedStream link = s.link(path);
                          if (link != null
                              && !s.untold(path)
                              && offset.compareTo(link.acked()) > 0) {
                            acks.put(path, offset);
                          }
                        }));
    if (!acks.isEmpty()) {
      step.add(new SubscriptionChange.Acked(s.id(), acks));
    }
  }

  /** The event is on the wake stream. */
  public void announced(DecisionStep step, WakeCall call) {
    current(step, call)
        .ifPresent(
            s -> {
              s.now().calling(false);
              healthy(step, s);
            });
  }

  /** The call or its answer did not get through. */
  public void failed(DecisionStep step, WakeCall call) {
    current(step, call).ifPresent(s -> failed(step, s));
  }

  private void failed(DecisionStep step, Subscription s) {
    s.now().calling(false);
    int failures = Math.min(s.failures(), Integer.MAX_VALUE - 1) + 1;
    step.add(new SubscriptionChange.Tried(s.id(), failures, step.now() + pause(failures)));
  }

  private long pause(int failures) {
    return Backoff.pause(FIRST_PAUSE, LONGEST_PAUSE, failures, chance::random).toMillis();
  }

  /** Forgets past failures, because the receiver answers again. */
  static void healthy(DecisionStep step, Subscription s) {
    if (s.failures() > 0) {
      step.add(new SubscriptionChange.Tried(s.id(), 0, 0));
    }
  }

  void end(DecisionStep step, Subscription s) {
    step.add(new SubscriptionChange.Ended(s.id()));
    wakeIfDue(step, s);
  }

  /** Empty: the wake of this call is over, so its result no longer counts. */
  private static Optional<Subscription> current(DecisionStep step, WakeCall call) {
    return step.table()
        .find(call.id())
        .filter(s -> s.inFlight(call.generation()) && s.now().calling());
  }

  /** Does what is due by now. */
  public void tick(DecisionStep step, Subscription s) {
    if (s.wake().isPresent() && expired(step, s)) {
      if (s.now().calling() && s.wake().filter(Wake::held).isEmpty()) {
        failed(step, s); // a receiver that never answers gets the next call later
      }
      end(step, s);
    } else if (s.wake().isPresent() && callAgain(s) && step.now() >= s.nextAttempt()) {
      step.call(s);
    } else {
      wakeIfDue(step, s);
    }
  }

  private static boolean expired(DecisionStep step, Subscription s) {
    return s.now().leaseUntil() > 0 && step.now() >= s.now().leaseUntil();
  }

  private static boolean callAgain(Subscription s) {
    return !s.now().calling() && s.wake().filter(w -> !w.held()).isPresent() && s.failures() > 0;
  }

  /**
   * When {@link #tick} has something to do, in epoch milliseconds; empty: nothing without another
   * event.
   */
  public static Optional<Long> due(Subscription s) {
    long due = Long.MAX_VALUE;
    if (s.wake().isPresent()) {
      due = s.now().leaseUntil() > 0 ? s.now().leaseUntil() : due;
      due = callAgain(s) ? Math.min(due, s.nextAttempt()) : due;
    } else if (!s.pending().isEmpty()) {
      due = s.nextAttempt();
    }
    return due == Long.MAX_VALUE ? Optional.empty() : Optional.of(due);
  }

  /**
   * Continues after a restart. A holder gets a whole lease again; a call without a known result is
   * made again, at the time that was planned for it.
   */
  public void resume(DecisionStep step, Subscription s) {
    long latest = step.now() + LONGEST_PAUSE.toMillis();
    if (s.nextAttempt() > latest) {
      step.add(
          new SubscriptionChange.Tried(s.id(), s.failures(), latest)); // the clock was set back
    }
    s.wake()
        .ifPresent(
            wake -> {
              if (wake.held()) {
                lease(step, s);
              } else if (step.now() >= s.nextAttempt()) {
                step.call(s);
              }
            });
    step.touch(s);
  }
}

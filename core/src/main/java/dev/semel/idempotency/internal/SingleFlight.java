package dev.semel.idempotency.internal;

import dev.semel.FirstExecution;
import dev.semel.Key;
import dev.semel.idempotency.ClaimResult;
import dev.semel.idempotency.Fingerprint;
import dev.semel.loop.Platform;
import dev.semel.loop.internal.Backoff;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Lets local callers with the same request wait together: one of them has the turn and asks the
 * store (or runs), the others wait for the turn or for the result. So a thousand waiters cost the
 * store no more than one.
 */
public final class SingleFlight {
  private static final Duration FIRST_POLL = Duration.ofMillis(5);
  private static final Duration LONGEST_POLL = Duration.ofMillis(250);

  /** Used until the first caller of this process has an answer. */
  private static final ClaimResult.InFlight UNKNOWN =
      new ClaimResult.InFlight(
          Duration.ZERO, new FirstExecution("", 1, Duration.ZERO, Duration.ZERO));

  private record Id(Key key, Fingerprint fingerprint) {}

  /** A group of waiting callers; its map entry is removed when the last one leaves. */
  public static final class Flight {
    private final ReentrantLock turn = new ReentrantLock();
    private final Platform platform;
    private final Backoff polls;
    private int waiting;
    private volatile @Nullable ClaimResult settled;
    private volatile ClaimResult.InFlight holder = UNKNOWN;

    Flight(Platform platform) {
      this.platform = platform;
      this.polls = new Backoff(platform, FIRST_POLL, LONGEST_POLL);
    }

    /** Sets the first caller's result, which all waiting callers get. */
    public void settle(ClaimResult ended) {
      settled = ended;
    }

    @Nullable
    public ClaimResult settled() {
      return settled;
    }

    public void saw(ClaimResult.InFlight inFlight) {
      holder = inFlight;
    }

    /** What is known of the holder, for callers that give up waiting. */
    public ClaimResult.InFlight holder() {
      return holder;
    }

    /** False: the deadline has passed, or the thread was interrupted and still is. */
    public boolean takeTurn(long deadlineNanos) {
      try {
        return platform.tryLock(turn, deadlineNanos - platform.nanos());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }

    public void giveTurn() {
      turn.unlock();
    }

    /** Only for the caller that has the turn. */
    public boolean pauseUntil(long deadlineNanos) {
      return polls.pauseUntil(deadlineNanos);
    }
  }

  private final Platform platform;
  private final Map<Id, Flight> flights = new ConcurrentHashMap<>();

  public SingleFlight(Platform platform) {
    this.platform = platform;
  }

  public Flight join(Key key, Fingerprint fingerprint) {
    return flights.compute(
        new Id(key, fingerprint),
        (id, known) -> {
          // A settled flight serves only the callers that were in it; a new caller asks again.
          Flight flight = known == null || known.settled() != null ? new Flight(platform) : known;
          flight.waiting++;
          return flight;
        });
  }

  public void leave(Key key, Fingerprint fingerprint, Flight flight) {
    flights.computeIfPresent(
        new Id(key, fingerprint),
        (id, known) -> known == flight && --flight.waiting == 0 ? null : known);
  }
}

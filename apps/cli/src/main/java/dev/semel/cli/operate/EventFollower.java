package dev.semel.cli.operate;

import dev.semel.StoreException;
import dev.semel.admin.ControlCenter;
import dev.semel.cli.Console;
import dev.semel.cli.streams.RetryPeriod;
import dev.semel.event.EventLine;
import dev.semel.event.spi.EventStore;
import dev.semel.loop.internal.Backoff;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * Shows events as they come. A signal ends the process as signals do, but what was shown until then
 * is whole: also a JSON document. For one thread, and the one that a signal brings.
 */
public final class EventFollower implements AutoCloseable {
  /** For ever, as far as anyone watches. */
  public static final Duration NO_END = Duration.ofDays(36_500);

  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);

  /** How long a store or server that was there may be away. */
  private static final Duration AWAY = Duration.ofSeconds(30);

  private static final Duration LONGEST_WRITE = Duration.ofSeconds(1);

  private final Console console;
  private final EventListing listing;
  private final Thread hook = Thread.ofPlatform().name("semel-end").unstarted(this::interrupted);
  private final Lock lock = new ReentrantLock();
  private boolean over;

  private EventFollower(Console console, EventListing listing) {
    this.console = console;
    this.listing = listing;
  }

  /** From now on a signal ends the listing first. */
  public static EventFollower of(Console console, EventListing listing) {
    EventFollower follower = new EventFollower(console, listing);
    Runtime.getRuntime().addShutdownHook(follower.hook);
    return follower;
  }

  void show(EventLine line) {
    lock.lock();
    try {
      if (!over) {
        listing.add(line);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Writes out what there is; false: nobody reads it any more. */
  private boolean flush() {
    lock.lock();
    try {
      return !console.streams().out().checkError();
    } finally {
      lock.unlock();
    }
  }

  /**
   * What is shown of the events that come, and until when.
   *
   * @param wanted which of them
   * @param shown what of each
   * @param count so many at most
   * @param deadline of {@link System#nanoTime}
   */
  public record Selection(
      Predicate<EventLine> wanted, UnaryOperator<EventLine> shown, long count, long deadline) {}

  /**
   * Follows until nobody reads any more, or one of the limits is reached.
   *
   * @param from a cursor, or empty: from the beginning
   */
  public void follow(ControlCenter center, String from, Selection selection) {
    String cursor = from;
    long left = selection.count();
    RetryPeriod patience = new RetryPeriod(console, AWAY);
    Backoff pauses = new Backoff(FIRST_PAUSE, LONGEST_PAUSE);
    boolean first = true;
    while (flush() && left > 0) {
      EventStore.Page page;
      try {
        page = center.events(cursor, EventStore.MAX_PAGE);
      } catch (StoreException e) {
        if (first) {
          throw e; // who was never there is not waited for
        }
        patience.afterFailure(e, "the events were followed up to here");
        continue;
      }
      first = false;
      patience.restored();
      for (EventLine line : page.lines()) {
        if (left > 0 && selection.wanted().test(line)) {
          show(selection.shown().apply(line));
          left--;
        }
      }
      cursor = page.next();
      if (!page.lines().isEmpty()) {
        pauses = new Backoff(FIRST_PAUSE, LONGEST_PAUSE);
        if (System.nanoTime() - selection.deadline() >= 0) {
          return;
        }
      } else if (left > 0 && !pauses.pauseUntil(selection.deadline())) {
        return;
      }
    }
  }

  /** Nothing is shown after this. */
  public void end() {
    lock.lock();
    try {
      if (!over) {
        over = true;
        listing.end();
        boolean unused = flush();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Whoever writes to someone who does not read is not waited for. */
  private void interrupted() {
    try {
      if (lock.tryLock(LONGEST_WRITE.toMillis(), TimeUnit.MILLISECONDS)) {
        try {
          end();
        } finally {
          lock.unlock();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process is going down, and the hook ends the listing.
    }
  }
}

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
 * Prints events as they come. A signal ends the process as usual, but the output until then is
 * complete, also as a JSON document. For one thread, and the one that handles a signal.
 */
public final class EventFollower implements AutoCloseable {
  /** Stands for no limit. */
  public static final Duration NO_END = Duration.ofDays(36_500);

  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);

  /** How long a store or server that has answered before may be away. */
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

  /** Makes a signal end the listing first, from now on. */
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

  /** Writes everything out; false: the output has no reader any more. */
  private boolean flush() {
    lock.lock();
    try {
      return !console.streams().out().checkError();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Selects the events to show, and when to stop.
   *
   * @param wanted selects events
   * @param shown changes an event for the output
   * @param count limit of events
   * @param deadline of {@link System#nanoTime}
   */
  public record Selection(
      Predicate<EventLine> wanted, UnaryOperator<EventLine> shown, long count, long deadline) {}

  /**
   * Follows until the output has no reader any more, or a limit is reached.
   *
   * @param from a cursor; empty: from the beginning
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
          throw e; // only a target that has answered before may come back
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

  /** Shows nothing after this call. */
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

  /** Ends the listing, but does not wait for a reader that does not read. */
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
      // The process is ending, and the hook ends the listing.
    }
  }
}

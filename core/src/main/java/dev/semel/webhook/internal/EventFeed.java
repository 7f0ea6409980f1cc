package dev.semel.webhook.internal;

import dev.semel.event.EventLine;
import dev.semel.event.spi.EventStore;
import dev.semel.loop.Platform;
import dev.semel.loop.internal.Loop;
import java.time.Duration;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Follows a store's event log on its own thread, and passes the selected lines on, whichever
 * process wrote them. It begins with lines that come after its start: earlier ones are not passed
 * on. With too much to read, it continues at the end.
 */
public final class EventFeed implements AutoCloseable {
  /** How often it reads. */
  public static final Duration EVERY = Duration.ofSeconds(1);

  /** How many pages are read at a time. */
  static final int MAX_PAGES = 20;

  /**
   * Selects lines.
   *
   * @param kinds such as {@code replayed}; none: no line at all
   * @param operations none: those of all operations
   */
  public record Filter(Set<String> kinds, Set<String> operations) {
    /** The kinds of events about duplicates. */
    public static final Set<String> DUPLICATES =
        Set.of("replayed", "in-flight", "mismatched", "in-doubt", "redelivered");

    public Filter {
      kinds = Set.copyOf(kinds);
      operations = Set.copyOf(operations);
    }

    boolean takes(EventLine line) {
      return kinds.contains(line.kind())
          && (operations.isEmpty() || operations.contains(line.operation()));
    }
  }

  private final EventStore events;
  private final Filter filter;
  private final Consumer<EventLine> told;
  private final Loop loop;
  private String cursor = "";

  private EventFeed(Platform platform, EventStore events, Filter filter, Consumer<EventLine> told) {
    this.events = events;
    this.filter = filter;
    this.told = told;
    this.loop = Loop.start(platform, "semel-event-feed", this::turn, EVERY);
  }

  /**
   * Starts at once.
   *
   * @param told must be quick
   */
  public static EventFeed start(
      Platform platform, EventStore events, Filter filter, Consumer<EventLine> told) {
    return new EventFeed(platform, events, filter, told);
  }

  private boolean turn() {
    if (cursor.isEmpty()) {
      cursor = events.end();
    }
    for (int page = 0; page < MAX_PAGES; page++) {
      EventStore.Page read = events.read(cursor, EventStore.MAX_PAGE);
      read.lines().stream().filter(filter::takes).forEach(told);
      cursor = read.next();
      if (read.lines().size() < EventStore.MAX_PAGE) {
        return false;
      }
    }
    cursor = events.end();
    return false;
  }

  @Override
  public void close() {
    loop.close();
  }
}

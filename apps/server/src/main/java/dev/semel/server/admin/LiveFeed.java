package dev.semel.server.admin;

import dev.semel.InvalidInput;
import dev.semel.admin.document.internal.EventDocument;
import dev.semel.event.EventLine;
import dev.semel.event.spi.EventStore;
import dev.semel.internal.PrintableText;
import dev.semel.loop.internal.Loop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The newest events, read once for all readers. It holds the last {@link #KEPT}; a reader that is
 * further behind has lost the events before them.
 */
final class LiveFeed implements AutoCloseable {
  static final int KEPT = 10_000;
  static final int MAX_READERS = 200;

  /** Limit of events that are read again for a reader that reconnects. */
  static final int MAX_CAUGHT_UP = 5_000;

  private static final int PAGE = 200;
  private static final Duration PAUSE = Duration.ofMillis(500);
  private static final char PLACE = '~';

  /**
   * One event, ready to be sent.
   *
   * @param id where a reader goes on: a cursor of the log, and the number of lines behind it
   */
  record Live(String id, String json, String writer, long number) {}

  /**
   * The next events for one reader.
   *
   * @param skipped how many were overwritten before this reader read them
   * @param next the reader's next position
   */
  record Batch(long skipped, List<Live> events, long next) {}

  private final EventStore log;
  private final Set<LiveReader> readers = ConcurrentHashMap.newKeySet();

  /** Held while the log is read, which may take long: never take it on an event loop. */
  private final ReentrantLock reading = new ReentrantLock();

  /** Held only while the ring is read or written. */
  private final ReentrantLock lock = new ReentrantLock();

  private final Live[] ring = new Live[KEPT];
  private final Loop loop;

  /** Number of all events so far; an event's position is its number. */
  private long count;

  /** Cursor of the next read; empty: there are no readers, so nothing is read. */
  private String cursor = "";

  private volatile boolean closed;

  LiveFeed(EventStore log) {
    this.log = log;
    this.loop = Loop.start("semel-live", this::poll, PAUSE);
  }

  private boolean poll() {
    reading.lock();
    try {
      if (readers.isEmpty()) {
        cursor = "";
        return false;
      }
      if (cursor.isEmpty()) {
        return false; // the next reader sets the cursor
      }
      EventStore.Page page = log.read(cursor, PAGE);
      List<Live> events = new ArrayList<>();
      for (EventLine line : page.lines()) {
        events.add(live(line, cursor, events.size() + 1));
      }
      cursor = page.next();
      add(events);
      return events.size() == PAGE;
    } finally {
      reading.unlock();
    }
  }

  private void add(List<Live> events) {
    lock.lock();
    try {
      events.forEach(each -> ring[(int) (count++ % KEPT)] = each);
    } finally {
      lock.unlock();
    }
    if (!events.isEmpty()) {
      readers.forEach(LiveReader::wake);
    }
  }

  private static Live live(EventLine line, String behind, int place) {
    return new Live(
        behind + PLACE + place, EventDocument.json(line).write(), line.writer(), line.number());
  }

  /** False: there are too many readers already. */
  boolean enter(LiveReader reader) {
    return readers.size() < MAX_READERS && readers.add(reader);
  }

  void leave(LiveReader reader) {
    readers.remove(reader);
  }

  /** The position of a reader that has entered and wants only new events. May block. */
  long now() {
    reading.lock();
    try {
      if (cursor.isEmpty()) {
        cursor = log.end();
      }
      return count; // changes only under this lock
    } finally {
      reading.unlock();
    }
  }

  /** The events from this position on. */
  Batch from(long place, int most) {
    lock.lock();
    try {
      long first = Math.max(place, count - KEPT);
      int size = (int) Math.min(most, count - first);
      List<Live> events = new ArrayList<>(size);
      for (int i = 0; i < size; i++) {
        events.add(ring[(int) ((first + i) % KEPT)]);
      }
      return new Batch(first - place, events, first + size);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Events after the last one that a reader has seen.
   *
   * @param whole false: there were more than {@link #MAX_CAUGHT_UP}
   */
  record CaughtUp(List<Live> events, boolean whole) {}

  CaughtUp since(String id) {
    int at = id.lastIndexOf(PLACE);
    int seen;
    try {
      seen = Integer.parseInt(id.substring(at + 1));
    } catch (NumberFormatException e) {
      throw new InvalidInput("%s is no id of an event here".formatted(PrintableText.quoted(id)));
    }
    String next = id.substring(0, Math.max(0, at));
    List<Live> events = new ArrayList<>();
    while (events.size() < MAX_CAUGHT_UP) {
      EventStore.Page page = log.read(next, PAGE);
      if (page.lines().isEmpty()) {
        return new CaughtUp(events, true);
      }
      int place = 0;
      for (EventLine line : page.lines()) {
        if (++place > seen) {
          events.add(live(line, next, place));
        }
      }
      seen = Math.max(0, seen - place);
      next = page.next();
    }
    return new CaughtUp(events, false);
  }

  /** Notes the highest number of each writer that was caught up, so that no event is sent twice. */
  static void highest(List<Live> events, Map<String, Long> seen) {
    events.forEach(each -> seen.merge(each.writer(), each.number(), Math::max));
  }

  boolean closed() {
    return closed;
  }

  /** Ends all readers, also those that still enter. */
  @Override
  public void close() {
    closed = true;
    readers.forEach(LiveReader::stop);
    loop.close();
  }
}

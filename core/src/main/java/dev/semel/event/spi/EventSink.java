package dev.semel.event.spi;

import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.event.Event;
import dev.semel.event.EventLine;
import dev.semel.event.SemelListener;
import dev.semel.event.internal.EventLines;
import dev.semel.internal.Ids;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Collects this process's events and appends them to the store on each {@link #flush}, once a
 * second. Reporting an event never blocks: events beyond the limits are counted, and the count
 * becomes an event. A crash loses events that were not appended yet.
 *
 * <p>Claims and completions come with every execution, and others with every message, so only a few
 * of them are kept when there are many. Notable events have a larger, separate limit, so the others
 * can't crowd them out.
 */
public final class EventSink implements SemelListener {
  /**
   * How many claims and completions are kept between two flushes, and as many events of published
   * and consumed messages.
   */
  public static final int MAX_ROUTINE = 100;

  /** How many other events are kept between two flushes. */
  public static final int MAX_NOTABLE = 500;

  /** How many lines may wait while the store is away; further events are dropped. */
  public static final int MAX_WAITING = 10_000;

  public static final Duration RETENTION = Duration.ofDays(30);
  public static final long MAX_LINES = 100_000;

  private static final int SALT_BYTES = 16;
  private static final int MAX_TRIMMED = 10 * EventStore.MAX_BATCH;

  private final EventStore store;
  private final InstantSource clock;
  private final Predicate<Key> masked;
  private final String writer = Ids.uuid7().toString();
  private final SecureRandom random = new SecureRandom();

  private final Queue<Taken> taken = new ConcurrentLinkedQueue<>();
  private final Map<EventLines.Share, AtomicInteger> counts =
      Arrays.stream(EventLines.Share.values())
          .collect(
              Collectors.toMap(
                  share -> share,
                  share -> new AtomicInteger(),
                  (one, other) -> one,
                  () -> new EnumMap<>(EventLines.Share.class)));
  private final LongAdder skipped = new LongAdder();
  private final LongAdder notable = new LongAdder();
  private final LongAdder allSkipped = new LongAdder();

  // Only touched by flush, which is synchronized.
  private final Deque<EventLine> waiting = new ArrayDeque<>();
  private long number;
  private String last = EventLine.FIRST;

  private record Taken(Event event, long atMillis) {}

  /**
   * Collects events for this store.
   *
   * @param masked whether the ids in events about this key are kept only as hashes
   */
  public EventSink(EventStore store, InstantSource clock, Predicate<Key> masked) {
    this.store = store;
    this.clock = clock;
    this.masked = masked;
  }

  /** The name under which this process writes. */
  public String writer() {
    return writer;
  }

  /** How many events were left out so far. */
  public long skipped() {
    return allSkipped.sum();
  }

  @Override
  public void on(Event event) {
    EventLines.Share share = EventLines.share(event);
    AtomicInteger count = Objects.requireNonNull(counts.get(share));
    int limit = share.limit;
    // Check the count before incrementing it: under load nearly all events end here, and must cost
    // little.
    if (count.get() >= limit || count.incrementAndGet() > limit) {
      skip(share, 1);
      return;
    }
    taken.add(new Taken(event, clock.millis()));
  }

  private void skip(EventLines.Share share, long count) {
    skipped.add(count);
    if (share == EventLines.Share.NOTABLE) {
      notable.add(count);
    }
  }

  /**
   * Appends the collected events; lines that can't be appended are kept for the next time.
   *
   * @throws StoreException the store does not answer
   */
  public synchronized void flush() {
    link();
    while (!waiting.isEmpty()) {
      List<EventLine> batch = waiting.stream().limit(EventStore.MAX_BATCH).toList();
      store.append(batch);
      for (int i = 0; i < batch.size(); i++) {
        waiting.remove();
      }
    }
  }

  private void link() {
    List<Taken> news = new ArrayList<>();
    for (Taken next = taken.poll(); next != null; next = taken.poll()) {
      news.add(next);
    }
    counts.values().forEach(count -> count.set(0));
    int room = Math.max(0, MAX_WAITING - waiting.size());
    if (news.size() > room) {
      news.subList(room, news.size()).forEach(left -> skip(EventLines.share(left.event()), 1));
      news = news.subList(0, room);
    }
    news.forEach(one -> link(one.event(), one.atMillis()));
    long worse = notable.sumThenReset();
    long left = skipped.sumThenReset();
    if (left > 0) {
      allSkipped.add(left);
      if (room > 0) {
        link(new Event.Skipped(left, worse), clock.millis());
      }
    } else {
      notable.add(worse);
    }
  }

  private void link(Event event, long atMillis) {
    byte[] salt = new byte[SALT_BYTES];
    random.nextBytes(salt);
    EventLine unlinked = EventLines.line(writer, event, atMillis, HexFormat.of().formatHex(salt));
    if (event.about().filter(masked).isPresent()) {
      unlinked = EventLines.masked(unlinked);
    }
    EventLine line = EventLine.next(unlinked, ++number, last);
    last = line.hash();
    waiting.add(line);
  }

  /** Removes lines that are too old or too many; a limited number at a time. */
  public void trim() {
    store.trim(RETENTION, MAX_LINES, MAX_TRIMMED);
  }
}

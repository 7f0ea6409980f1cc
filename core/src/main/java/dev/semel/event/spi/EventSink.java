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
 * Collects this process's events and appends them to the store when told to, once a second. Whoever
 * reports an event never waits: what exceeds the limits is counted, and the count becomes an event
 * of its own. A crash loses what was not appended yet.
 *
 * <p>Claims and completions come with every execution, and others with every message, so few of
 * them are kept when there are many; what is out of the ordinary has a larger limit of its own, and
 * can't be crowded out by them.
 */
public final class EventSink implements SemelListener {
  /**
   * Most claims and completions kept from one flush to the next, and as many of messages that were
   * published and consumed.
   */
  public static final int MAX_ROUTINE = 100;

  /** Most other events kept from one flush to the next. */
  public static final int MAX_NOTABLE = 500;

  /** Lines that wait because the store is away; beyond it nothing more is taken. */
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
   * @param masked whether the ids in events about this key are to be kept only as hashes
   */
  public EventSink(EventStore store, InstantSource clock, Predicate<Key> masked) {
    this.store = store;
    this.clock = clock;
    this.masked = masked;
  }

  /** Under which name this process writes. */
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
    // Looked at before it is counted up: under load nearly all end here, and must cost little.
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
   * Appends what was collected; lines that can't be appended are kept for the next time.
   *
   * @throws StoreException the store can't be asked
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

  /** Removes lines that are too old or too many; some at a time. */
  public void trim() {
    store.trim(RETENTION, MAX_LINES, MAX_TRIMMED);
  }
}

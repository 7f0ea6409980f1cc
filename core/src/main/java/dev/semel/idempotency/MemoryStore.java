package dev.semel.idempotency;

import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.Token;
import dev.semel.event.internal.MemoryEvents;
import dev.semel.event.spi.EventStore;
import dev.semel.idempotency.internal.MemoryRecord;
import dev.semel.idempotency.internal.MemorySettings;
import dev.semel.idempotency.internal.MemoryStatistics;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.idempotency.spi.ExecutionEnd;
import dev.semel.idempotency.spi.IdempotencyStore;
import dev.semel.idempotency.spi.KeyCatalog;
import dev.semel.idempotency.spi.KeyEntry;
import dev.semel.idempotency.spi.RecordImport;
import dev.semel.idempotency.spi.RecordState;
import dev.semel.idempotency.spi.SettingsStore;
import dev.semel.idempotency.spi.StatisticsStore;
import dev.semel.idempotency.spi.Store;
import dev.semel.idempotency.spi.StoredRecord;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A store that keeps everything in this process: for tests, demos, and duplicates that can only
 * come from the same process. A crash loses all records, so nothing is exactly once across
 * restarts.
 *
 * <p>Safe for use by many threads, without a common lock: a key's record is immutable, and every
 * step reads it, decides, and replaces it only if it is still the one that it read.
 */
public final class MemoryStore implements Store, IdempotencyStore, KeyCatalog {
  /** The default limit of records: some hundred megabytes without responses. */
  public static final int DEFAULT_MAX_RECORDS = 1_000_000;

  /**
   * How often a full store looks for expired records at most, because each look reads all of them.
   */
  private static final Duration SCAN_PAUSE = Duration.ofMillis(250);

  private final InstantSource clock;
  private final int maxRecords;
  private final ConcurrentHashMap<Key, MemoryRecord> records = new ConcurrentHashMap<>();
  private final MemoryStatistics statistics;
  private final MemorySettings settings = new MemorySettings();
  private final MemoryEvents events;

  /** Taken only by claims of new keys that find the store full. */
  private final Object makingRoom = new Object();

  private long nextScanAt = Long.MIN_VALUE;

  public MemoryStore(InstantSource clock) {
    this(clock, DEFAULT_MAX_RECORDS);
  }

  /**
   * Keeps at most this many records.
   *
   * @param maxRecords beyond this many a claim of a new key is refused; claims that race for the
   *     last places may exceed it by as many as there are threads
   */
  public MemoryStore(InstantSource clock, int maxRecords) {
    this.clock = clock;
    this.maxRecords = maxRecords;
    this.statistics = new MemoryStatistics(clock);
    this.events = new MemoryEvents(clock);
  }

  @Override
  public ClaimResult claim(ClaimRequest request) {
    while (true) {
      long now = clock.millis();
      MemoryRecord seen = records.get(request.key());
      if (seen == null || seen.expired(now)) {
        if (put(request.key(), seen, MemoryRecord.claimed(request, 1, now), now)) {
          return new ClaimResult.Granted(request.token(), 1, false);
        }
      } else {
        switch (seen.at(now).decide(request)) {
          case StoredRecord.Decision.Answer a -> {
            return a.claim();
          }
          case StoredRecord.Decision.Take t -> {
            MemoryRecord taken = MemoryRecord.claimed(request, t.attempt(), now);
            if (records.replace(request.key(), seen, taken)) {
              return new ClaimResult.Granted(request.token(), t.attempt(), t.takenOver());
            }
          }
        }
      }
    }
  }

  private boolean put(Key key, @Nullable MemoryRecord ended, MemoryRecord first, long now) {
    if (ended != null) {
      return records.replace(key, ended, first);
    }
    if (records.mappingCount() >= maxRecords) {
      makeRoom(now);
    }
    return records.putIfAbsent(key, first) == null;
  }

  private void makeRoom(long now) {
    synchronized (makingRoom) {
      if (records.mappingCount() >= maxRecords && now >= nextScanAt) {
        nextScanAt = now + SCAN_PAUSE.toMillis();
        purge(maxRecords);
      }
      if (records.mappingCount() >= maxRecords) {
        throw new StoreException(
            "the in-memory store holds %d records, its limit, so nothing was claimed: shorten the retention, raise the limit, or use a store on disk"
                .formatted(maxRecords));
      }
    }
  }

  @Override
  public boolean renew(Key key, Token token, Duration lease) {
    while (true) {
      long now = clock.millis();
      MemoryRecord seen = live(key, now);
      if (seen == null || !seen.inFlightFor(token)) {
        return false;
      }
      if (records.replace(key, seen, seen.renewed(lease, now))) {
        return true;
      }
    }
  }

  @Override
  public boolean complete(Key key, Token token, ExecutionEnd ending, Duration retention) {
    while (true) {
      long now = clock.millis();
      MemoryRecord seen = live(key, now);
      if (seen == null || !seen.inFlightFor(token)) {
        return seen != null && seen.state.ended() && seen.token.equals(token);
      }
      if (records.replace(key, seen, seen.ended(ending, retention, now))) {
        return true;
      }
    }
  }

  @Override
  public boolean release(Key key, Token token) {
    while (true) {
      long now = clock.millis();
      MemoryRecord seen = live(key, now);
      if (seen == null || !seen.inFlightFor(token)) {
        return seen != null && seen.state == RecordState.RELEASED && seen.token.equals(token);
      }
      if (records.replace(key, seen, seen.released(token, now))) {
        return true;
      }
    }
  }

  @Override
  public Optional<StoredRecord> find(Key key) {
    long now = clock.millis();
    MemoryRecord seen = live(key, now);
    return seen == null ? Optional.empty() : Optional.of(seen.at(now));
  }

  private @Nullable MemoryRecord live(Key key, long now) {
    MemoryRecord seen = records.get(key);
    return seen == null || seen.expired(now) ? null : seen;
  }

  /** Lists in the order of the keys' texts; the cursor is the last text of the page before. */
  @Override
  public Page list(String prefix, String cursor, int limit) {
    int size = Math.clamp(limit, 1, MAX_PAGE);
    long now = clock.millis();
    // One more than the page, to know whether there is another page; memory never holds more.
    PriorityQueue<Listed> smallest = new PriorityQueue<>(Listed.BY_TEXT.reversed());
    records.forEach(
        (key, record) -> {
          String text = key.text();
          if (text.startsWith(prefix) && text.compareTo(cursor) > 0 && !record.expired(now)) {
            smallest.add(new Listed(text, key, record));
            if (smallest.size() > size + 1) {
              smallest.remove();
            }
          }
        });
    List<Listed> sorted = new ArrayList<>(smallest);
    sorted.sort(Listed.BY_TEXT);
    List<Listed> page = sorted.subList(0, Math.min(size, sorted.size()));
    return new Page(
        page.stream().map(l -> new KeyEntry(l.key, l.record.listedAt(now))).toList(),
        sorted.size() > size ? page.getLast().text : "");
  }

  private record Listed(String text, Key key, MemoryRecord record) {
    static final Comparator<Listed> BY_TEXT = Comparator.comparing(Listed::text);
  }

  @Override
  public boolean forceRelease(Key key) {
    while (true) {
      long now = clock.millis();
      MemoryRecord seen = live(key, now);
      if (seen == null) {
        return false;
      }
      if (records.replace(key, seen, seen.released(Token.draw(), now))) {
        return true;
      }
    }
  }

  @Override
  public boolean delete(Key key) {
    while (true) {
      MemoryRecord seen = live(key, clock.millis());
      if (seen == null) {
        return false;
      }
      if (records.remove(key, seen)) {
        return true;
      }
    }
  }

  /** Forgets the key if this token was the last to hold it; another's record stays. */
  public void forget(Key key, Token token) {
    MemoryRecord seen = records.get(key);
    while (seen != null && seen.token.equals(token) && !records.remove(key, seen)) {
      seen = records.get(key);
    }
  }

  @Override
  public RecordImport adopt(KeyEntry entry) {
    while (true) {
      long now = clock.millis();
      if (!entry.existing().original().retentionLeft().isPositive()) {
        return RecordImport.ENDED;
      }
      MemoryRecord seen = records.get(entry.key());
      MemoryRecord brought = MemoryRecord.adopted(entry.existing(), now);
      if (seen == null || seen.expired(now)) {
        if (put(entry.key(), seen, brought, now)) {
          return RecordImport.COPIED;
        }
      } else {
        RecordImport adoption = RecordImport.meeting(seen.at(now), entry.existing());
        if (!adoption.writes() || records.replace(entry.key(), seen, brought)) {
          return adoption;
        }
      }
    }
  }

  @Override
  public int purge(int limit) {
    long now = clock.millis();
    int purged = 0;
    for (Map.Entry<Key, MemoryRecord> entry : records.entrySet()) {
      if (purged >= limit) {
        break;
      }
      if (entry.getValue().expired(now) && records.remove(entry.getKey(), entry.getValue())) {
        purged++;
      }
    }
    return purged;
  }

  @Override
  public int ended(int limit) {
    long now = clock.millis();
    return (int) records.values().stream().filter(r -> r.expired(now)).limit(limit).count();
  }

  @Override
  public Usage usage() {
    long now = clock.millis();
    long active = 0;
    long bytes = 0;
    for (Map.Entry<Key, MemoryRecord> entry : records.entrySet()) {
      active += entry.getValue().expired(now) ? 0 : 1;
      bytes += entry.getValue().bytes(entry.getKey().text());
    }
    return new Usage(active, bytes, true);
  }

  @Override
  public String describe() {
    return "memory:";
  }

  @Override
  public IdempotencyStore idempotency() {
    return this;
  }

  @Override
  public KeyCatalog catalog() {
    return this;
  }

  @Override
  public StatisticsStore statistics() {
    return statistics;
  }

  @Override
  public SettingsStore settings() {
    return settings;
  }

  @Override
  public EventStore events() {
    return events;
  }

  @Override
  public Instant now() {
    return clock.instant();
  }

  @Override
  public Optional<Room> room() {
    return Optional.of(new Room(records.mappingCount(), maxRecords));
  }

  @Override
  public List<String> hazards() {
    return List.of(
        "memory: forgets every record with its process: use a store on disk for what must survive");
  }

  /** There is nothing to close. */
  @Override
  public void close() {}
}

package dev.semel.redis.internal;

import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.idempotency.spi.KeyCatalog.Usage;
import dev.semel.idempotency.spi.KeyEntry;
import io.lettuce.core.KeyScanArgs;
import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Scans the keys of one server. Redis has no ordered listing, so pages are often short.
 *
 * @param records where to read records; on a cluster a key may have moved since the scan
 * @param node the server that is scanned
 */
public record KeyScan(RedisLink records, RedisLink node) {
  /** How many scans without a match a page makes before it is returned empty. */
  static final int MAX_SCANS_PER_PAGE = 50;

  /** A page ends early at this size, because responses can be large. */
  public static final int MAX_PAGE_BYTES = 8 << 20;

  /** How many records one request reads; each may be as large as a response. */
  private static final int FETCH_BATCH = 64;

  /** Beyond this many keys, ours or not, usage is extrapolated from the scanned part. */
  public static final int MAX_USAGE_KEYS = 20_000;

  private static final int USAGE_BATCH = 1000;

  /** Part of a listing; without a next position it is the last one. */
  record Part(List<KeyEntry> entries, Optional<ScanPosition> next) {}

  /**
   * Lists on from a position.
   *
   * @param wanted selects names; names that are not our keys are always left out
   */
  Part list(String prefix, ScanPosition from, int size, Predicate<byte[]> wanted) {
    ScanPosition position = from;
    for (int scans = 1; ; scans++) {
      KeyScanCursor<byte[]> scanned =
          scan(
              position.scan(),
              new KeyScanArgs().type("string").match(RedisKey.pattern(prefix)).limit(size));
      Part part = fetch(position, scanned, size, wanted);
      if (!part.entries().isEmpty() || part.next().isEmpty() || scans == MAX_SCANS_PER_PAGE) {
        return part;
      }
      position = part.next().get();
    }
  }

  private KeyScanCursor<byte[]> scan(String from, ScanArgs args) {
    return node.get(c -> c.scan(ScanCursor.of(from), args));
  }

  /** Sorted, because a scan may repeat a key, and the next page may start inside this scan. */
  private Part fetch(
      ScanPosition position, KeyScanCursor<byte[]> scanned, int size, Predicate<byte[]> wanted) {
    NavigableMap<String, Key> found = new TreeMap<>();
    scanned.getKeys().stream()
        .filter(wanted)
        .forEach(name -> RedisKey.key(name).ifPresent(key -> found.put(key.text(), key)));
    List<Key> keys =
        List.copyOf(found.tailMap(position.after(scanned.getCursor()), false).values());
    List<KeyEntry> entries = new ArrayList<>();
    int done = 0;
    long bytes = 0;
    while (done < keys.size() && entries.size() < size && bytes < MAX_PAGE_BYTES) {
      int batch = Math.min(FETCH_BATCH, size - entries.size());
      List<Key> next = keys.subList(done, Math.min(keys.size(), done + batch));
      bytes += addEntries(next, entries);
      done += next.size();
    }
    if (done < keys.size()) {
      String shown = keys.get(done - 1).text();
      return new Part(
          entries, Optional.of(new ScanPosition(position.scan(), scanned.getCursor(), shown)));
    }
    return new Part(
        entries,
        scanned.isFinished()
            ? Optional.empty()
            : Optional.of(new ScanPosition(scanned.getCursor(), "", "")));
  }

  private long addEntries(List<Key> keys, List<KeyEntry> entries) {
    List<byte[]> names = keys.stream().map(RedisKey::name).toList();
    List<RedisFuture<List<Object>>> sent = names.stream().map(records::sendPeek).toList();
    long bytes = 0;
    for (int i = 0; i < keys.size(); i++) {
      RedisLink.Seen seen = records.finishPeek(sent.get(i), names.get(i));
      if (seen != null) {
        bytes += seen.value().length;
        entry(keys.get(i), names.get(i), seen).ifPresent(entries::add);
      }
    }
    return bytes;
  }

  /**
   * Skips a foreign value, so that it does not hide all others; a request for its key reports it.
   */
  private static Optional<KeyEntry> entry(Key key, byte[] name, RedisLink.Seen seen) {
    return record(name, seen)
        .filter(record -> seen.timeToLive() >= 0)
        .map(record -> new KeyEntry(key, record.seenWith(name, seen.timeToLive())));
  }

  static Optional<RedisRecord> record(byte[] name, RedisLink.Seen seen) {
    try {
      return Optional.of(RecordCodec.parse(name, seen.value()));
    } catch (StoreException e) {
      return Optional.empty();
    }
  }

  /** The usage of this server. */
  Usage usage() {
    NavigableSet<byte[]> ours = new TreeSet<>(Arrays::compareUnsigned);
    long seen = 0;
    ScanCursor cursor = ScanCursor.INITIAL;
    do {
      KeyScanCursor<byte[]> scanned = scan(cursor.getCursor(), new ScanArgs().limit(USAGE_BATCH));
      seen += scanned.getKeys().size();
      scanned.getKeys().stream().filter(name -> RedisKey.key(name).isPresent()).forEach(ours::add);
      cursor = scanned;
    } while (!cursor.isFinished() && seen < MAX_USAGE_KEYS);

    Usage counted = measure(List.copyOf(ours));
    if (cursor.isFinished()) {
      return counted;
    }
    double factor = Math.max(1, (double) node.get(c -> c.dbsize()) / seen);
    return new Usage(
        Math.round(counted.activeKeys() * factor), Math.round(counted.bytes() * factor), false);
  }

  private Usage measure(List<byte[]> names) {
    long keys = 0;
    long bytes = 0;
    for (int done = 0; done < names.size(); done += USAGE_BATCH) {
      List<RedisFuture<Long>> sent =
          names.subList(done, Math.min(names.size(), done + USAGE_BATCH)).stream()
              .map(name -> records.send(c -> c.memoryUsage(name)))
              .toList();
      for (RedisFuture<Long> answer : sent) {
        Long size = records.await(answer); // null when the record ended meanwhile
        keys += size == null ? 0 : 1;
        bytes += size == null ? 0 : size;
      }
    }
    return new Usage(keys, bytes, true);
  }
}

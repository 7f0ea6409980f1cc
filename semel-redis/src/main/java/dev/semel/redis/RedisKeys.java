package dev.semel.redis;

import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.Token;
import dev.semel.idempotency.Entry;
import dev.semel.idempotency.KeyCatalog;
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

/** Lists and changes records for operators. Redis can only scan, so pages are often short. */
final class RedisKeys implements KeyCatalog {
  /** How often a page scans on when nothing has matched yet; then it is given empty. */
  static final int MAX_SCANS_PER_PAGE = 50;

  /** Responses can be large: a page ends early rather than hold more than this of them. */
  static final int MAX_PAGE_BYTES = 8 << 20;

  /** Records asked for at once; each may be as large as a response. */
  private static final int FETCH_BATCH = 64;

  /** Beyond this many keys, of anyone, the usage is extrapolated from the part that was seen. */
  static final int MAX_USAGE_KEYS = 20_000;

  private static final int USAGE_BATCH = 1000;

  /** How often a record may change under an operator's hand before that is given up. */
  private static final int MAX_ROUNDS = 16;

  private final RedisLink link;

  RedisKeys(RedisLink link) {
    this.link = link;
  }

  @Override
  public Page list(String prefix, String cursor, int limit) {
    int size = Math.clamp(limit, 1, MAX_PAGE);
    ScanPosition position = ScanPosition.parse(cursor);
    for (int scans = 1; ; scans++) {
      KeyScanCursor<byte[]> scanned =
          scan(
              position.scan(),
              new KeyScanArgs().type("string").match(RedisKey.pattern(prefix)).limit(size));
      Page page = fetch(position, scanned, size);
      if (!page.entries().isEmpty() || page.next().isEmpty() || scans == MAX_SCANS_PER_PAGE) {
        return page;
      }
      position = ScanPosition.parse(page.next());
    }
  }

  private KeyScanCursor<byte[]> scan(String from, ScanArgs args) {
    return link.get(c -> c.scan(ScanCursor.of(from), args));
  }

  /**
   * Sorted, because a scan may repeat a key, and because the next page may have to start within.
   */
  private Page fetch(ScanPosition position, KeyScanCursor<byte[]> scanned, int size) {
    NavigableMap<String, Key> found = new TreeMap<>();
    scanned
        .getKeys()
        .forEach(name -> RedisKey.key(name).ifPresent(key -> found.put(key.text(), key)));
    List<Key> keys =
        List.copyOf(found.tailMap(position.after(scanned.getCursor()), false).values());
    List<Entry> entries = new ArrayList<>();
    int done = 0;
    long bytes = 0;
    while (done < keys.size() && entries.size() < size && bytes < MAX_PAGE_BYTES) {
      int batch = Math.min(FETCH_BATCH, size - entries.size());
      List<Key> next = keys.subList(done, Math.min(keys.size(), done + batch));
      bytes += addEntries(next, entries);
      done += next.size();
    }
    if (done < keys.size()) {
      return new Page(
          entries,
          new ScanPosition(position.scan(), scanned.getCursor(), keys.get(done - 1).text()).text());
    }
    return new Page(entries, scanned.isFinished() ? "" : scanned.getCursor());
  }

  private long addEntries(List<Key> keys, List<Entry> entries) {
    List<byte[]> names = keys.stream().map(RedisKey::name).toList();
    List<RedisFuture<List<Object>>> sent = names.stream().map(link::sendPeek).toList();
    long bytes = 0;
    for (int i = 0; i < keys.size(); i++) {
      RedisLink.Seen seen = link.finishPeek(sent.get(i), names.get(i));
      if (seen != null) {
        bytes += seen.value().length;
        entry(keys.get(i), names.get(i), seen).ifPresent(entries::add);
      }
    }
    return bytes;
  }

  /** A value of someone else's must not hide all the others; asked for by name, it says so. */
  private static Optional<Entry> entry(Key key, byte[] name, RedisLink.Seen seen) {
    return record(name, seen)
        .filter(record -> seen.timeToLive() >= 0)
        .map(record -> new Entry(key, record.seenWith(name, seen.timeToLive())));
  }

  private static Optional<RedisRecord> record(byte[] name, RedisLink.Seen seen) {
    try {
      return Optional.of(RecordCodec.parse(name, seen.value()));
    } catch (StoreException e) {
      return Optional.empty();
    }
  }

  // Both steps below compare with what was seen. Without that, a step that the client sends again
  // after a lost connection could hit whoever claimed the key in between.

  /** Another token in the record than at first means that the next claim has run already. */
  @Override
  public boolean forceRelease(Key key) {
    byte[] name = RedisKey.name(key);
    Token fence = Token.draw();
    Token meant = null;
    for (int round = 0; round < MAX_ROUNDS; round++) {
      RedisLink.Seen seen = link.peek(name);
      if (seen == null) {
        return false;
      }
      Token token = RecordCodec.parse(name, seen.value()).token();
      if (meant != null && !meant.equals(token)) {
        return true;
      }
      meant = token;
      if (link.run(Script.FREE, name, RecordCodec.header(seen.value()), RecordCodec.token(fence))) {
        return true;
      }
    }
    throw busy(key);
  }

  /**
   * Also removes what is no record of ours: an operator must be able to get rid of it. A lower or
   * equal attempt under another token than at first belongs to a new life of the key, so the one
   * that was meant is gone.
   */
  @Override
  public boolean delete(Key key) {
    byte[] name = RedisKey.name(key);
    Optional<RedisRecord> meant = Optional.empty();
    for (int round = 0; round < MAX_ROUNDS; round++) {
      RedisLink.Seen seen = link.peek(name);
      if (seen == null) {
        return false;
      }
      Optional<RedisRecord> now = record(name, seen);
      if (meant.isPresent() && now.isPresent() && newLife(meant.get(), now.get())) {
        return false;
      }
      meant = now;
      if (link.run(Script.REMOVE, name, RecordCodec.header(seen.value()))) {
        return true;
      }
    }
    throw busy(key);
  }

  private static boolean newLife(RedisRecord earlier, RedisRecord later) {
    return !earlier.token().equals(later.token()) && later.attempt() <= earlier.attempt();
  }

  private static StoreException busy(Key key) {
    return new StoreException(
        "the key %s changed %d times while it was being changed: try again"
            .formatted(key, MAX_ROUNDS));
  }

  /** Redis drops ended records by itself. */
  @Override
  public int purge(int limit) {
    return 0;
  }

  @Override
  public Usage usage() {
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
    double factor = Math.max(1, (double) link.get(c -> c.dbsize()) / seen);
    return new Usage(
        Math.round(counted.activeKeys() * factor), Math.round(counted.bytes() * factor), false);
  }

  private Usage measure(List<byte[]> names) {
    long keys = 0;
    long bytes = 0;
    for (int done = 0; done < names.size(); done += USAGE_BATCH) {
      List<RedisFuture<Long>> sent =
          names.subList(done, Math.min(names.size(), done + USAGE_BATCH)).stream()
              .map(name -> link.send(c -> c.memoryUsage(name)))
              .toList();
      for (RedisFuture<Long> answer : sent) {
        Long size = link.await(answer); // null when it ended in the meantime
        keys += size == null ? 0 : 1;
        bytes += size == null ? 0 : size;
      }
    }
    return new Usage(keys, bytes, true);
  }
}

package dev.semel.redis.internal;

import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.Token;
import dev.semel.idempotency.spi.KeyCatalog;
import dev.semel.idempotency.spi.KeyEntry;
import dev.semel.idempotency.spi.RecordImport;
import dev.semel.idempotency.spi.StoredRecord;
import java.util.Optional;

/** Lists and changes records for operators. */
public final class RedisKeys implements KeyCatalog {
  /** How often a record may change during an operator's action before that gives up. */
  private static final int MAX_ROUNDS = 16;

  private final RedisLink link;

  public RedisKeys(RedisLink link) {
    this.link = link;
  }

  @Override
  public Page list(String prefix, String cursor, int limit) {
    KeyScan.Part part =
        new KeyScan(link, link)
            .list(prefix, ScanPosition.parse(cursor), Math.clamp(limit, 1, MAX_PAGE), name -> true);
    return new Page(part.entries(), part.next().map(ScanPosition::text).orElse(""));
  }

  // Both steps below compare with the value read before. Otherwise a step that the client repeats
  // after a lost connection could hit a newer claim.

  /** A token that changed meanwhile means that the next claim already ran. */
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
      if (link.run(
          RecordScript.FREE, name, RecordCodec.header(seen.value()), RecordCodec.token(fence))) {
        return true;
      }
    }
    throw busy(key);
  }

  /**
   * Also removes a value that is not a record of ours, so that operators can get rid of it. A lower
   * or equal attempt under another token means that the key began a new life, so the selected
   * record is gone.
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
      Optional<RedisRecord> now = KeyScan.record(name, seen);
      if (meant.isPresent() && now.isPresent() && newLife(meant.get(), now.get())) {
        return false;
      }
      meant = now;
      if (link.run(RecordScript.REMOVE, name, RecordCodec.header(seen.value()))) {
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

  @Override
  public RecordImport adopt(KeyEntry entry) {
    StoredRecord brought = entry.existing();
    if (!brought.original().retentionLeft().isPositive()) {
      return RecordImport.ENDED;
    }
    byte[] name = RedisKey.name(entry.key());
    byte[] value = RecordCodec.adopted(brought);
    long timeToLive = RecordCodec.timeToLive(brought);
    for (int round = 0; round < MAX_ROUNDS; round++) {
      RedisLink.Seen seen = link.peek(name);
      if (seen == null) {
        if (link.setIfAbsent(name, value, timeToLive) == null) {
          return RecordImport.COPIED;
        }
        continue; // another caller was first
      }
      StoredRecord there = RecordCodec.parse(name, seen.value()).seenWith(name, seen.timeToLive());
      RecordImport adoption = RecordImport.meeting(there, brought);
      if (!adoption.writes() || replace(name, seen, value, timeToLive)) {
        return adoption;
      }
    }
    throw busy(entry.key());
  }

  private boolean replace(byte[] name, RedisLink.Seen seen, byte[] value, long timeToLive) {
    return link.run(
        RecordScript.ADOPT,
        name,
        RecordCodec.header(seen.value()),
        value,
        RedisLink.ascii(timeToLive));
  }

  /** False: a restarted server does not know earlier scans' cursors. */
  @Override
  public boolean cursorsOutliveRestarts() {
    return false;
  }

  /** Does nothing: Redis expires ended records. */
  @Override
  public int purge(int limit) {
    return 0;
  }

  @Override
  public Usage usage() {
    return new KeyScan(link, link).usage();
  }
}

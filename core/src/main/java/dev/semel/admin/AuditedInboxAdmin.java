package dev.semel.admin;

import dev.semel.admin.internal.AuditWriter;
import dev.semel.admin.internal.ChangeImpact;
import dev.semel.idempotency.spi.Store;
import dev.semel.inbox.spi.InboxOperations;
import dev.semel.internal.DurationText;
import dev.semel.transport.Message;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/** An inbox that records its changes in the event log of the store. */
record AuditedInboxAdmin(InboxOperations operations, Store store, String actor)
    implements InboxAdmin {
  @Override
  public Status status() {
    return operations.status();
  }

  @Override
  public SortedMap<String, Long> deadLetters() {
    return operations.deadLetters();
  }

  @Override
  public Page list(String consumer, State state, String cursor, int limit) {
    return operations.list(consumer, state, cursor, limit);
  }

  @Override
  public Optional<Message> find(String consumer, String id) {
    return operations.find(consumer, id);
  }

  @Override
  public long dead(String consumer) {
    return ChangeImpact.ofDead(operations, consumer);
  }

  @Override
  public long old(String consumer, Duration olderThan) {
    return operations.old(consumer, olderThan);
  }

  @Override
  public long retry(String consumer, long expected) {
    EditConflict.check(dead(consumer), expected);
    return retry(consumer);
  }

  @Override
  public long purgeDead(String consumer, long expected) {
    EditConflict.check(dead(consumer), expected);
    return purgeDead(consumer);
  }

  @Override
  public long purgeOld(String consumer, Duration olderThan, long expected) {
    EditConflict.checkAtLeast(old(consumer, olderThan), expected);
    return purge(consumer, olderThan, (int) Math.min(expected, Integer.MAX_VALUE));
  }

  @Override
  public long retry(String consumer) {
    long count = operations.retry(consumer);
    wrote("retry %d messages of the inbox".formatted(count), consumer);
    return count;
  }

  @Override
  public boolean retry(String consumer, String id) {
    boolean went = operations.retry(consumer, id);
    if (went) {
      wrote("retry message of the inbox", consumer + " id=" + id);
    }
    return went;
  }

  @Override
  public boolean retry(String consumer, String id, byte[] payload) {
    boolean went = operations.retry(consumer, id, payload);
    if (went) {
      wrote("edit and retry message of the inbox", consumer + " id=" + id);
    }
    return went;
  }

  @Override
  public long purgeDead(String consumer) {
    long count = operations.purgeDead(consumer);
    wrote("purge %d dead messages of the inbox".formatted(count), consumer);
    return count;
  }

  @Override
  public long purge(String consumer, Duration olderThan, int limit) {
    long count = operations.purge(consumer, olderThan, limit);
    wrote(
        "forget %d ids of the inbox older than %s".formatted(count, DurationText.brief(olderThan)),
        consumer);
    return count;
  }

  @Override
  public boolean forget(String consumer, String id) {
    boolean forgot = operations.forget(consumer, id);
    if (forgot) {
      wrote("forget id of the inbox", consumer + " id=" + id);
    }
    return forgot;
  }

  @Override
  public List<String> diagnose() {
    return operations.diagnose();
  }

  private void wrote(String action, String target) {
    new AuditWriter(store, actor).add(action, target).write();
  }
}

package dev.semel.admin;

import dev.semel.Key;
import dev.semel.admin.internal.AuditWriter;
import dev.semel.admin.internal.ChangeImpact;
import dev.semel.idempotency.spi.Store;
import dev.semel.internal.PrintableText;
import dev.semel.outbox.spi.OutboxOperations;
import dev.semel.transport.Message;
import java.util.List;
import java.util.Optional;

/** An outbox that records its changes in the event log of the store. */
record AuditedOutboxAdmin(OutboxOperations operations, Store store, String actor)
    implements OutboxAdmin {
  @Override
  public Status status() {
    return operations.status();
  }

  @Override
  public Page list(State state, Filter filter, String cursor, int limit) {
    return operations.list(state, filter, cursor, limit);
  }

  @Override
  public List<Entry> about(Key key, int limit) {
    return operations.about(key, limit);
  }

  @Override
  public Optional<Message> read(String destination, String id) {
    return operations.read(destination, id);
  }

  @Override
  public long count(State state, Filter filter) {
    return ChangeImpact.of(operations, state, filter);
  }

  @Override
  public long retriable(Filter filter) {
    return operations.retriable(filter);
  }

  @Override
  public long retry(Filter filter, long expected) {
    EditConflict.check(retriable(filter), expected);
    return retry(filter);
  }

  @Override
  public long replay(Filter filter, boolean newIds, long expected) {
    EditConflict.check(count(State.PUBLISHED, filter), expected);
    return replay(filter, newIds);
  }

  @Override
  public long purge(State state, Filter filter, long expected) {
    EditConflict.check(count(state, filter), expected);
    return purge(state, filter);
  }

  @Override
  public long retry(Filter filter) {
    return wrote("retry %d messages of the outbox", operations.retry(filter), filter);
  }

  @Override
  public boolean retry(String destination, String id, byte[] payload) {
    boolean went = operations.retry(destination, id, payload);
    if (went) {
      new AuditWriter(store, actor)
          .add("edit and retry message of the outbox", destination + " id=" + id)
          .write();
    }
    return went;
  }

  @Override
  public long replay(Filter filter, boolean newIds) {
    String action = newIds ? "replay %d messages with new ids" : "replay %d messages";
    return wrote(action, operations.replay(filter, newIds), filter);
  }

  @Override
  public long purge(State state, Filter filter) {
    String action = "purge %d " + PrintableText.word(state) + " messages of the outbox";
    return wrote(action, operations.purge(state, filter), filter);
  }

  private long wrote(String action, long count, Filter filter) {
    new AuditWriter(store, actor).add(action.formatted(count), target(filter)).write();
    return count;
  }

  private static String target(Filter filter) {
    StringBuilder target = new StringBuilder(filter.destination());
    filter.id().ifPresent(id -> target.append(" id=").append(id));
    filter.from().ifPresent(from -> target.append(" from=").append(from));
    filter.until().ifPresent(until -> target.append(" until=").append(until));
    return target.toString().strip();
  }
}

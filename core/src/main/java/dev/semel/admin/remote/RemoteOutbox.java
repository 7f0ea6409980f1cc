package dev.semel.admin.remote;

import dev.semel.Key;
import dev.semel.admin.OutboxAdmin;
import dev.semel.admin.document.internal.AdminAction;
import dev.semel.admin.document.internal.MemberReader;
import dev.semel.admin.document.internal.MessageDocument;
import dev.semel.admin.document.internal.OutboxDocument;
import dev.semel.admin.internal.ChangeImpact;
import dev.semel.internal.PrintableText;
import dev.semel.transport.Message;
import java.util.List;
import java.util.Optional;

/** The outbox of a server; the server counts what a change touches. */
record RemoteOutbox(AdminApiClient calls) implements OutboxAdmin {
  @Override
  public Status status() {
    return OutboxDocument.readStatus(calls.ask(AdminQuery.of(AdminAction.OUTBOX_STATUS)));
  }

  private static AdminQuery of(AdminAction action, Filter filter) {
    return AdminQuery.of(action)
        .with("destination", filter.destination())
        .with("id", filter.id().orElse(""))
        .with("from", filter.from())
        .with("until", filter.until());
  }

  private static AdminQuery of(AdminAction action, State state, Filter filter) {
    return of(action, filter).with("state", PrintableText.word(state));
  }

  private MemberReader ask(AdminQuery query) {
    return MemberReader.of(calls.ask(query));
  }

  @Override
  public Page list(State state, Filter filter, String cursor, int limit) {
    return OutboxDocument.readPage(
        calls.ask(
            of(AdminAction.OUTBOX_LIST, state, filter)
                .with("cursor", cursor)
                .with("limit", limit)));
  }

  @Override
  public List<Entry> about(Key key, int limit) {
    return OutboxDocument.readPage(
            calls.ask(
                AdminQuery.of(AdminAction.OUTBOX_ABOUT)
                    .with("key", key.text())
                    .with("limit", limit)))
        .entries();
  }

  @Override
  public Optional<Message> read(String destination, String id) {
    AdminQuery query =
        AdminQuery.of(AdminAction.OUTBOX_PAYLOAD, id).with("destination", destination);
    return AdminApiClient.found(() -> MessageDocument.read(calls.ask(query)));
  }

  @Override
  public boolean retry(String destination, String id, byte[] payload) {
    AdminQuery query =
        AdminQuery.of(AdminAction.OUTBOX_RETRY)
            .with("destination", destination)
            .with("id", id)
            .with("payload", payload);
    return AdminApiClient.found(() -> calls.ask(query)).isPresent();
  }

  @Override
  public long count(State state, Filter filter) {
    return state == State.PENDING
        ? ChangeImpact.of(this, state, filter) // no action counts these
        : ask(of(AdminAction.OUTBOX_PURGE, state, filter).dryRun()).number("count");
  }

  @Override
  public long retriable(Filter filter) {
    return ask(of(AdminAction.OUTBOX_RETRY, filter).dryRun()).number("count");
  }

  @Override
  public long retry(Filter filter) {
    return retry(filter, retriable(filter));
  }

  @Override
  public long retry(Filter filter, long expected) {
    return ask(of(AdminAction.OUTBOX_RETRY, filter).expecting(expected)).number("retried");
  }

  @Override
  public long replay(Filter filter, boolean newIds) {
    return replay(filter, newIds, count(State.PUBLISHED, filter));
  }

  @Override
  public long replay(Filter filter, boolean newIds, long expected) {
    return ask(of(AdminAction.OUTBOX_REPLAY, filter).with("new_ids", newIds).expecting(expected))
        .number("replayed");
  }

  @Override
  public long purge(State state, Filter filter) {
    return purge(state, filter, count(state, filter));
  }

  @Override
  public long purge(State state, Filter filter, long expected) {
    return ask(of(AdminAction.OUTBOX_PURGE, state, filter).expecting(expected)).number("deleted");
  }
}

package dev.semel.admin.remote;

import dev.semel.Key;
import dev.semel.PrintableText;
import dev.semel.admin.ChangeImpact;
import dev.semel.admin.OutboxAdmin;
import dev.semel.admin.document.MemberReader;
import dev.semel.admin.document.MessageDocument;
import dev.semel.admin.document.OutboxDocument;
import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import dev.semel.net.internal.ServerUrl;
import dev.semel.transport.Message;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/** The outbox of a server, which counts what a change touches. */
record RemoteOutbox(AdminApiClient calls) implements OutboxAdmin {
  private static final String MESSAGES = "outbox/events";
  private static final String RETRY = "outbox/retry";

  @Override
  public Status status() {
    return OutboxDocument.readStatus(calls.get(AdminQuery.at("outbox")));
  }

  @Override
  public Page list(State state, Filter filter, String cursor, int limit) {
    return OutboxDocument.readPage(
        calls.get(chosen(state, filter).with("cursor", cursor).with("limit", limit)));
  }

  private static AdminQuery chosen(State state, Filter filter) {
    return AdminQuery.at(MESSAGES)
        .with("state", PrintableText.word(state))
        .with("destination", filter.destination())
        .with("id", filter.id().orElse(""))
        .with("from", filter.from())
        .with("until", filter.until());
  }

  private static JsonObjectBuilder body(Filter filter) {
    JsonObjectBuilder body =
        Json.object()
            .withUnlessEmpty("destination", filter.destination())
            .withUnlessEmpty("id", filter.id().orElse(""));
    filter.from().ifPresent(from -> body.with("from", from.toString()));
    filter.until().ifPresent(until -> body.with("until", until.toString()));
    return body;
  }

  @Override
  public List<Entry> about(Key key, int limit) {
    return OutboxDocument.readPage(
            calls.get(AdminQuery.at("outbox/about").with("key", key.text()).with("limit", limit)))
        .entries();
  }

  @Override
  public Optional<Message> read(String destination, String id) {
    AdminQuery query = AdminQuery.at(MESSAGES + "/" + ServerUrl.encode(id) + "/payload");
    return AdminApiClient.found(
        () -> MessageDocument.read(calls.get(query.with("destination", destination))));
  }

  @Override
  public boolean retry(String destination, String id, byte[] payload) {
    JsonObjectBuilder body =
        Json.object()
            .with("destination", destination)
            .with("id", id)
            .with("payload", Base64.getEncoder().encodeToString(payload));
    return AdminApiClient.found(() -> calls.post(AdminQuery.at(RETRY), body.build())).isPresent();
  }

  @Override
  public long count(State state, Filter filter) {
    return state == State.PENDING
        ? ChangeImpact.of(this, state, filter) // which no change touches as such
        : MemberReader.of(calls.delete(chosen(state, filter).with("dry_run", "true")))
            .number("count");
  }

  @Override
  public long retriable(Filter filter) {
    return MemberReader.of(
            calls.post(AdminQuery.at(RETRY), body(filter).with("dry_run", true).build()))
        .number("count");
  }

  @Override
  public long retry(Filter filter) {
    return retry(filter, retriable(filter));
  }

  @Override
  public long retry(Filter filter, long expected) {
    return MemberReader.of(
            calls.post(AdminQuery.at(RETRY), body(filter).with("expect", expected).build()))
        .number("retried");
  }

  @Override
  public long replay(Filter filter, boolean newIds) {
    return replay(filter, newIds, count(State.PUBLISHED, filter));
  }

  @Override
  public long replay(Filter filter, boolean newIds, long expected) {
    return MemberReader.of(
            calls.post(
                AdminQuery.at("outbox/replay"),
                body(filter).with("new_ids", newIds).with("expect", expected).build()))
        .number("replayed");
  }

  @Override
  public long purge(State state, Filter filter) {
    return purge(state, filter, count(state, filter));
  }

  @Override
  public long purge(State state, Filter filter, long expected) {
    return MemberReader.of(calls.delete(chosen(state, filter).with("expect", expected)))
        .number("deleted");
  }
}

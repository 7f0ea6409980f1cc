package dev.semel.admin.remote;

import dev.semel.Key;
import dev.semel.Printable;
import dev.semel.admin.document.OutboxDocument;
import dev.semel.admin.document.Reading;
import dev.semel.json.Json;
import dev.semel.json.Members;
import dev.semel.outbox.OutboxOperations;
import java.util.List;

/** The outbox of a server. Who asks here has been told how much it touches. */
record RemoteOutbox(Calls calls) implements OutboxOperations {
  private static final String MESSAGES = "outbox/events";

  @Override
  public Status status() {
    return OutboxDocument.readStatus(calls.get(Query.at("outbox")));
  }

  @Override
  public Page list(State state, Filter filter, String cursor, int limit) {
    return OutboxDocument.readPage(
        calls.get(chosen(state, filter).with("cursor", cursor).with("limit", limit)));
  }

  private static Query chosen(State state, Filter filter) {
    return Query.at(MESSAGES)
        .with("state", Printable.word(state))
        .with("destination", filter.destination())
        .with("id", filter.id().orElse(""))
        .with("from", filter.from())
        .with("until", filter.until());
  }

  private static Members body(Filter filter) {
    Members body =
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
            calls.get(Query.at("outbox/about").with("key", key.text()).with("limit", limit)))
        .entries();
  }

  @Override
  public long retry(Filter filter) {
    return Reading.of(calls.post(Query.at("outbox/retry"), body(filter).build())).number("retried");
  }

  @Override
  public long replay(Filter filter, boolean newIds) {
    Query replay = Query.at("outbox/replay");
    long count =
        Reading.of(
                calls.post(
                    replay, body(filter).with("new_ids", newIds).with("dry_run", true).build()))
            .number("count");
    return Reading.of(
            calls.post(replay, body(filter).with("new_ids", newIds).with("expect", count).build()))
        .number("replayed");
  }

  @Override
  public long purge(State state, Filter filter) {
    long count =
        Reading.of(calls.delete(chosen(state, filter).with("dry_run", "true"))).number("count");
    return Reading.of(calls.delete(chosen(state, filter).with("expect", count))).number("deleted");
  }
}

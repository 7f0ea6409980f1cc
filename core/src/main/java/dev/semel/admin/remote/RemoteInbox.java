package dev.semel.admin.remote;

import dev.semel.DurationText;
import dev.semel.PrintableText;
import dev.semel.admin.InboxAdmin;
import dev.semel.admin.document.InboxDocument;
import dev.semel.admin.document.MemberReader;
import dev.semel.admin.document.MessageDocument;
import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import dev.semel.json.JsonValue;
import dev.semel.net.internal.ServerUrl;
import dev.semel.transport.Message;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/** The inbox of a server, which counts what a change touches. */
record RemoteInbox(AdminApiClient calls) implements InboxAdmin {
  private static final String MESSAGES = "inbox/events";

  @Override
  public Status status() {
    return InboxDocument.readStatus(calls.get(AdminQuery.at("inbox")));
  }

  @Override
  public Page list(String consumer, State state, String cursor, int limit) {
    return InboxDocument.readPage(
        calls.get(
            AdminQuery.at(MESSAGES)
                .with("consumer", consumer)
                .with("state", PrintableText.word(state))
                .with("cursor", cursor)
                .with("limit", limit)));
  }

  @Override
  public Optional<Message> find(String consumer, String id) {
    AdminQuery query = AdminQuery.at(MESSAGES + "/" + ServerUrl.encode(id) + "/payload");
    return AdminApiClient.found(
        () -> MessageDocument.read(calls.get(query.with("consumer", consumer))));
  }

  private static JsonObjectBuilder of(String consumer) {
    return Json.object().with("consumer", consumer);
  }

  private JsonValue post(String action, JsonObjectBuilder with) {
    return calls.post(AdminQuery.at("inbox/" + action), with.build());
  }

  @Override
  public long dead(String consumer) {
    AdminQuery dead = AdminQuery.at(MESSAGES).with("consumer", consumer).with("dry_run", "true");
    return MemberReader.of(calls.delete(dead)).number("count");
  }

  @Override
  public long retry(String consumer) {
    return retry(consumer, dead(consumer));
  }

  @Override
  public long retry(String consumer, long expected) {
    return MemberReader.of(post("retry", of(consumer).with("expect", expected))).number("retried");
  }

  @Override
  public boolean retry(String consumer, String id) {
    return there("retry", of(consumer).with("id", id));
  }

  private boolean there(String action, JsonObjectBuilder with) {
    return AdminApiClient.found(() -> post(action, with)).isPresent();
  }

  @Override
  public boolean retry(String consumer, String id, byte[] payload) {
    String encoded = Base64.getEncoder().encodeToString(payload);
    return there("retry", of(consumer).with("id", id).with("payload", encoded));
  }

  @Override
  public long purgeDead(String consumer) {
    return purgeDead(consumer, dead(consumer));
  }

  @Override
  public long purgeDead(String consumer, long expected) {
    return MemberReader.of(
            calls.delete(
                AdminQuery.at(MESSAGES).with("consumer", consumer).with("expect", expected)))
        .number("deleted");
  }

  @Override
  public long old(String consumer, Duration olderThan) {
    return MemberReader.of(post("purge", aged(consumer, olderThan).with("dry_run", true)))
        .number("count");
  }

  private static JsonObjectBuilder aged(String consumer, Duration olderThan) {
    return of(consumer).with("older_than", DurationText.format(olderThan));
  }

  @Override
  public long purge(String consumer, Duration olderThan, int limit) {
    return purgeOld(consumer, olderThan, Math.min(limit, old(consumer, olderThan)));
  }

  @Override
  public long purgeOld(String consumer, Duration olderThan, long expected) {
    return MemberReader.of(post("purge", aged(consumer, olderThan).with("expect", expected)))
        .number("forgot");
  }

  @Override
  public boolean forget(String consumer, String id) {
    return there("forget", of(consumer).with("id", id));
  }

  @Override
  public List<String> diagnose() {
    return MemberReader.of(calls.get(AdminQuery.at("inbox"))).texts("says");
  }
}

package dev.semel.admin.remote;

import dev.semel.admin.InboxAdmin;
import dev.semel.admin.document.internal.AdminAction;
import dev.semel.admin.document.internal.InboxDocument;
import dev.semel.admin.document.internal.MemberReader;
import dev.semel.admin.document.internal.MessageDocument;
import dev.semel.internal.DurationText;
import dev.semel.internal.PrintableText;
import dev.semel.transport.Message;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The inbox of a server; the server counts what a change touches. */
record RemoteInbox(AdminApiClient calls) implements InboxAdmin {
  @Override
  public Status status() {
    return InboxDocument.readStatus(calls.ask(AdminQuery.of(AdminAction.INBOX_STATUS)));
  }

  private static AdminQuery of(AdminAction action, String consumer) {
    return AdminQuery.of(action).with("consumer", consumer);
  }

  private MemberReader ask(AdminQuery query) {
    return MemberReader.of(calls.ask(query));
  }

  @Override
  public Page list(String consumer, State state, String cursor, int limit) {
    return InboxDocument.readPage(
        calls.ask(
            of(AdminAction.INBOX_LIST, consumer)
                .with("state", PrintableText.word(state))
                .with("cursor", cursor)
                .with("limit", limit)));
  }

  @Override
  public Optional<Message> find(String consumer, String id) {
    AdminQuery query = AdminQuery.of(AdminAction.INBOX_PAYLOAD, id).with("consumer", consumer);
    return AdminApiClient.found(() -> MessageDocument.read(calls.ask(query)));
  }

  @Override
  public long dead(String consumer) {
    return ask(of(AdminAction.INBOX_PURGE_DEAD, consumer).dryRun()).number("count");
  }

  @Override
  public long retry(String consumer) {
    return retry(consumer, dead(consumer));
  }

  @Override
  public long retry(String consumer, long expected) {
    return ask(of(AdminAction.INBOX_RETRY, consumer).expecting(expected)).number("retried");
  }

  @Override
  public boolean retry(String consumer, String id) {
    return there(of(AdminAction.INBOX_RETRY, consumer).with("id", id));
  }

  private boolean there(AdminQuery query) {
    return AdminApiClient.found(() -> calls.ask(query)).isPresent();
  }

  @Override
  public boolean retry(String consumer, String id, byte[] payload) {
    return there(of(AdminAction.INBOX_RETRY, consumer).with("id", id).with("payload", payload));
  }

  @Override
  public long purgeDead(String consumer) {
    return purgeDead(consumer, dead(consumer));
  }

  @Override
  public long purgeDead(String consumer, long expected) {
    return ask(of(AdminAction.INBOX_PURGE_DEAD, consumer).expecting(expected)).number("deleted");
  }

  private static AdminQuery purging(String consumer, Duration olderThan) {
    return of(AdminAction.INBOX_PURGE, consumer).with("older_than", DurationText.format(olderThan));
  }

  @Override
  public long old(String consumer, Duration olderThan) {
    return ask(purging(consumer, olderThan).dryRun()).number("count");
  }

  @Override
  public long purge(String consumer, Duration olderThan, int limit) {
    return purgeOld(consumer, olderThan, Math.min(limit, old(consumer, olderThan)));
  }

  @Override
  public long purgeOld(String consumer, Duration olderThan, long expected) {
    return ask(purging(consumer, olderThan).expecting(expected)).number("forgot");
  }

  @Override
  public boolean forget(String consumer, String id) {
    return there(of(AdminAction.INBOX_FORGET, consumer).with("id", id));
  }

  @Override
  public List<String> diagnose() {
    return ask(AdminQuery.of(AdminAction.INBOX_STATUS)).texts("says");
  }
}

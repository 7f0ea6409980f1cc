package dev.semel.server.admin;

import dev.semel.admin.InboxAdmin;
import dev.semel.admin.document.internal.AdminAction;
import dev.semel.admin.document.internal.InboxDocument;
import dev.semel.admin.document.internal.MessageDocument;
import dev.semel.inbox.spi.InboxOperations.State;
import dev.semel.internal.DurationText;
import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Actions on the inbox. */
final class InboxRoutes {
  private InboxRoutes() {}

  static List<AdminRoute> all() {
    return List.of(
        AdminRoute.of(AdminAction.INBOX_STATUS, InboxRoutes::status),
        AdminRoute.of(AdminAction.INBOX_LIST, InboxRoutes::list),
        AdminRoute.of(AdminAction.INBOX_PURGE_DEAD, InboxRoutes::purgeDead),
        AdminRoute.of(AdminAction.INBOX_RETRY, InboxRoutes::retry),
        AdminRoute.of(AdminAction.INBOX_PAYLOAD, InboxRoutes::message),
        AdminRoute.of(AdminAction.INBOX_FORGET, InboxRoutes::forget),
        AdminRoute.of(AdminAction.INBOX_PURGE, InboxRoutes::purgeIds));
  }

  private static InboxAdmin inbox(AdminRequest asked) {
    return asked.center().inbox().orElseThrow(() -> NotFound.database("inbox"));
  }

  private static JsonObjectBuilder status(AdminRequest asked) {
    InboxAdmin inbox = inbox(asked);
    return InboxDocument.json(inbox.status(), inbox.diagnose());
  }

  private static JsonObjectBuilder list(AdminRequest asked) {
    return InboxDocument.json(
        inbox(asked)
            .list(
                asked.required("consumer"),
                asked.choice("state", State.class),
                asked.cursor(),
                asked.limit()));
  }

  private static JsonObjectBuilder purgeDead(AdminRequest asked) {
    InboxAdmin inbox = inbox(asked);
    String consumer = asked.required("consumer");
    return BulkChange.confirmed(
        asked,
        "deleted",
        () -> inbox.dead(consumer),
        expected -> inbox.purgeDead(consumer, expected));
  }

  private static JsonObjectBuilder message(AdminRequest asked) {
    return inbox(asked)
        .find(asked.required("consumer"), asked.named())
        .map(MessageDocument::json)
        .orElseThrow(InboxRoutes::noMessage);
  }

  private static NotFound noMessage() {
    return new NotFound("no message of that id waits or is dead: see inbox/events");
  }

  private static JsonObjectBuilder retry(AdminRequest asked) {
    InboxAdmin inbox = inbox(asked);
    String consumer = asked.required("consumer");
    Optional<byte[]> payload = asked.bytes("payload");
    if (payload.isPresent()) {
      BulkChange.refuse(asked);
      if (!inbox.retry(consumer, asked.required("id"), payload.get())) {
        throw new NotFound("there is no such dead letter, or not any more: see inbox/events");
      }
      return Json.object().with("retried", 1);
    }
    if (asked.find("id").isEmpty()) {
      return BulkChange.confirmed(
          asked,
          "retried",
          () -> inbox.dead(consumer),
          expected -> inbox.retry(consumer, expected));
    }
    if (!inbox.retry(consumer, asked.text("id"))) {
      throw noMessage();
    }
    return Json.object().with("retried", 1);
  }

  private static JsonObjectBuilder forget(AdminRequest asked) {
    if (!inbox(asked).forget(asked.required("consumer"), asked.required("id"))) {
      throw new NotFound("there is no such id, or its message waits or is dead: retry it then");
    }
    return Json.object().with("forgot", 1);
  }

  private static JsonObjectBuilder purgeIds(AdminRequest asked) {
    InboxAdmin inbox = inbox(asked);
    String consumer = asked.required("consumer");
    Duration olderThan = DurationText.parse(asked.required("older_than"));
    return BulkChange.confirmed(
        asked,
        "forgot",
        () -> inbox.old(consumer, olderThan),
        expected -> inbox.purgeOld(consumer, olderThan, expected));
  }
}

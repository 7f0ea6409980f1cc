package dev.semel.server.admin;

import dev.semel.DurationText;
import dev.semel.admin.InboxAdmin;
import dev.semel.admin.document.InboxDocument;
import dev.semel.admin.document.MessageDocument;
import dev.semel.inbox.InboxOperations.State;
import dev.semel.json.Json;
import dev.semel.json.JsonValue;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Messages behind the broker. */
final class InboxRoutes {
  private static final RouteParameter ID = new RouteParameter("id", "Only this message.");
  private static final RouteParameter CONSUMER =
      new RouteParameter("consumer", "Whose; must be there.");

  private InboxRoutes() {}

  static List<AdminRoute> all() {
    return List.of(
        AdminRoute.get(
            "inbox",
            "How many ids each consumer keeps, and what waits, failed or is in doubt.",
            List.of(),
            InboxRoutes::status),
        AdminRoute.get(
            "inbox/events",
            "A consumer's messages that wait, failed for good or are in doubt.",
            RouteParameter.list(
                CONSUMER,
                new RouteParameter("state", "pending (if not given), dead or in_doubt."),
                RouteParameter.CURSOR,
                RouteParameter.LIMIT),
            asked ->
                InboxDocument.json(
                        inbox(asked)
                            .list(
                                asked.required("consumer"),
                                asked.choice("state", State.PENDING, State.class),
                                asked.cursor(),
                                asked.limit()))
                    .write()),
        AdminRoute.change(
            "DELETE",
            "inbox/events",
            "Delete a consumer's dead letters.",
            RouteParameter.list(CONSUMER, RouteParameter.DRY_RUN, RouteParameter.EXPECT),
            InboxRoutes::purgeDead),
        AdminRoute.change(
            "POST",
            "inbox/retry",
            "Give stored messages back to their workers: all dead letters, or one message.",
            RouteParameter.list(
                CONSUMER,
                ID,
                RouteParameter.PAYLOAD,
                RouteParameter.DRY_RUN,
                RouteParameter.EXPECT),
            InboxRoutes::retry),
        AdminRoute.change(
            "GET",
            "inbox/events/{id}/payload",
            "All that a message that waits or is dead is made of, its payload as Base64.",
            RouteParameter.list(CONSUMER),
            InboxRoutes::message),
        AdminRoute.change(
            "POST",
            "inbox/forget",
            "Forget one id, so that its message takes effect when it comes again.",
            RouteParameter.list(CONSUMER, ID),
            InboxRoutes::forget),
        AdminRoute.change(
            "POST",
            "inbox/purge",
            "Forget ids that were first seen long ago, the oldest first.",
            RouteParameter.list(
                CONSUMER,
                new RouteParameter("older_than", "Such as 90d."),
                RouteParameter.DRY_RUN,
                RouteParameter.EXPECT_AT_LEAST),
            InboxRoutes::purgeIds));
  }

  private static InboxAdmin inbox(AdminRequest asked) {
    return asked.center().inbox().orElseThrow(() -> NotFound.database("inbox"));
  }

  private static String status(AdminRequest asked) {
    InboxAdmin inbox = inbox(asked);
    return InboxDocument.json(inbox.status())
        .with("says", inbox.diagnose().stream().map(JsonValue::of).toList())
        .write();
  }

  private static String purgeDead(AdminRequest asked) {
    InboxAdmin inbox = inbox(asked);
    String consumer = asked.required("consumer");
    return BulkChange.confirmed(
        asked,
        "deleted",
        () -> inbox.dead(consumer),
        expected -> inbox.purgeDead(consumer, expected));
  }

  private static String message(AdminRequest asked) {
    return inbox(asked)
        .find(asked.required("consumer"), asked.named())
        .map(found -> MessageDocument.json(found).write())
        .orElseThrow(InboxRoutes::noMessage);
  }

  private static NotFound noMessage() {
    return new NotFound("no message of that id waits or is dead: see inbox/events");
  }

  private static String retry(AdminRequest asked) {
    InboxAdmin inbox = inbox(asked);
    String consumer = asked.required("consumer");
    Optional<byte[]> payload = asked.bytes("payload");
    if (payload.isPresent()) {
      BulkChange.refuse(asked);
      if (!inbox.retry(consumer, asked.required("id"), payload.get())) {
        throw new NotFound("there is no such dead letter, or not any more: see inbox/events");
      }
      return Json.object().with("retried", 1).write();
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
    return Json.object().with("retried", 1).write();
  }

  private static String forget(AdminRequest asked) {
    if (!inbox(asked).forget(asked.required("consumer"), asked.required("id"))) {
      throw new NotFound("there is no such id, or its message waits or is dead: retry it then");
    }
    return Json.object().with("forgot", 1).write();
  }

  private static String purgeIds(AdminRequest asked) {
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

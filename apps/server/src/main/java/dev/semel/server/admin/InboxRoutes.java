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
  private static final Parameter ID = new Parameter("id", "Only this message.");
  private static final Parameter CONSUMER = new Parameter("consumer", "Whose; must be there.");

  private InboxRoutes() {}

  static List<Route> all() {
    return List.of(
        Route.get(
            "inbox",
            "How many ids each consumer keeps, and what waits, failed or is in doubt.",
            List.of(),
            InboxRoutes::status),
        Route.get(
            "inbox/events",
            "A consumer's messages that wait, failed for good or are in doubt.",
            Parameter.list(
                CONSUMER,
                new Parameter("state", "pending (if not given), dead or in_doubt."),
                Parameter.CURSOR,
                Parameter.LIMIT),
            asked ->
                InboxDocument.json(
                        inbox(asked)
                            .list(
                                asked.required("consumer"),
                                asked.choice("state", State.PENDING, State.class),
                                asked.cursor(),
                                asked.limit()))
                    .write()),
        Route.change(
            "DELETE",
            "inbox/events",
            "Delete a consumer's dead letters.",
            Parameter.list(CONSUMER, Parameter.DRY_RUN, Parameter.EXPECT),
            InboxRoutes::purgeDead),
        Route.change(
            "POST",
            "inbox/retry",
            "Give stored messages back to their workers: all dead letters, or one message.",
            Parameter.list(CONSUMER, ID, Parameter.PAYLOAD, Parameter.DRY_RUN, Parameter.EXPECT),
            InboxRoutes::retry),
        Route.change(
            "GET",
            "inbox/events/{id}/payload",
            "All that a message that waits or is dead is made of, its payload as Base64.",
            Parameter.list(CONSUMER),
            InboxRoutes::message),
        Route.change(
            "POST",
            "inbox/forget",
            "Forget one id, so that its message takes effect when it comes again.",
            Parameter.list(CONSUMER, ID),
            InboxRoutes::forget),
        Route.change(
            "POST",
            "inbox/purge",
            "Forget ids that were first seen long ago, the oldest first.",
            Parameter.list(
                CONSUMER,
                new Parameter("older_than", "Such as 90d."),
                Parameter.DRY_RUN,
                Parameter.EXPECT_AT_LEAST),
            InboxRoutes::purgeIds));
  }

  private static InboxAdmin inbox(Asked asked) {
    return asked.center().inbox().orElseThrow(() -> Missing.database("inbox"));
  }

  private static String status(Asked asked) {
    InboxAdmin inbox = inbox(asked);
    return InboxDocument.json(inbox.status())
        .with("says", inbox.diagnose().stream().map(JsonValue::of).toList())
        .write();
  }

  private static String purgeDead(Asked asked) {
    InboxAdmin inbox = inbox(asked);
    String consumer = asked.required("consumer");
    return Bulk.confirmed(
        asked,
        "deleted",
        () -> inbox.dead(consumer),
        expected -> inbox.purgeDead(consumer, expected));
  }

  private static String message(Asked asked) {
    return inbox(asked)
        .find(asked.required("consumer"), asked.named())
        .map(found -> MessageDocument.json(found).write())
        .orElseThrow(InboxRoutes::noMessage);
  }

  private static Missing noMessage() {
    return new Missing("no message of that id waits or is dead: see inbox/events");
  }

  private static String retry(Asked asked) {
    InboxAdmin inbox = inbox(asked);
    String consumer = asked.required("consumer");
    Optional<byte[]> payload = asked.bytes("payload");
    if (payload.isPresent()) {
      Bulk.refuse(asked);
      if (!inbox.retry(consumer, asked.required("id"), payload.get())) {
        throw new Missing("there is no such dead letter, or not any more: see inbox/events");
      }
      return Json.object().with("retried", 1).write();
    }
    if (asked.find("id").isEmpty()) {
      return Bulk.confirmed(
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

  private static String forget(Asked asked) {
    if (!inbox(asked).forget(asked.required("consumer"), asked.required("id"))) {
      throw new Missing("there is no such id, or its message waits or is dead: retry it then");
    }
    return Json.object().with("forgot", 1).write();
  }

  private static String purgeIds(Asked asked) {
    InboxAdmin inbox = inbox(asked);
    String consumer = asked.required("consumer");
    Duration olderThan = DurationText.parse(asked.required("older_than"));
    return Bulk.confirmed(
        asked,
        "forgot",
        () -> inbox.old(consumer, olderThan),
        expected -> inbox.purgeOld(consumer, olderThan, expected));
  }
}

package dev.semel.server.admin;

import dev.semel.DurationText;
import dev.semel.InvalidInput;
import dev.semel.admin.InboxDesk;
import dev.semel.admin.OutboxDesk;
import dev.semel.admin.document.InboxDocument;
import dev.semel.admin.document.MessageDocument;
import dev.semel.admin.document.OutboxDocument;
import dev.semel.inbox.InboxOperations;
import dev.semel.json.Json;
import dev.semel.json.JsonValue;
import dev.semel.outbox.OutboxOperations;
import dev.semel.outbox.OutboxOperations.Filter;
import dev.semel.outbox.OutboxOperations.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Messages before the broker and behind it. */
final class MessageRoutes {
  private static final Parameter DESTINATION = new Parameter("destination", "Only to this one.");
  private static final Parameter ID = new Parameter("id", "Only this message.");
  private static final Parameter FROM =
      new Parameter("from", "Not before, such as 2026-01-31T10:00:00Z.");
  private static final Parameter UNTIL = new Parameter("until", "Before.");
  private static final Parameter PAYLOAD =
      new Parameter("payload", "With this in place of what it has, as Base64; one dead letter.");
  private static final Parameter CONSUMER = new Parameter("consumer", "Whose; must be there.");

  private MessageRoutes() {}

  static List<Route> all() {
    List<Route> routes = new ArrayList<>(outboxRoutes());
    routes.addAll(inboxRoutes());
    return routes;
  }

  private static List<Route> outboxRoutes() {
    Parameter state = new Parameter("state", "pending (if not given), dead or published.");
    return List.of(
        Route.get(
            "outbox",
            "How many messages wait, fail or are dead, and which relays run.",
            List.of(),
            asked -> OutboxDocument.json(outbox(asked).status()).write()),
        Route.get(
            "outbox/events",
            "Messages without their payload, a page at a time.",
            Parameter.list(state, DESTINATION, ID, FROM, UNTIL, Parameter.CURSOR, Parameter.LIMIT),
            asked ->
                OutboxDocument.json(
                        outbox(asked)
                            .list(
                                asked.choice("state", State.PENDING, State.class),
                                filter(asked),
                                asked.cursor(),
                                asked.limit()))
                    .write()),
        Route.get(
            "outbox/about",
            "The messages that executions of a key sent; looks at every row.",
            Parameter.list(new Parameter("key", "tenant/operation:id."), Parameter.LIMIT),
            asked ->
                OutboxDocument.json(
                        new OutboxOperations.Page(
                            outbox(asked).about(asked.key("key"), asked.limit()), ""))
                    .write()),
        Route.change(
            "DELETE",
            "outbox/events",
            "Delete dead letters or published messages; never what waits.",
            Parameter.list(
                new Parameter("state", "dead or published; must be there."),
                DESTINATION,
                ID,
                FROM,
                UNTIL,
                Parameter.DRY_RUN,
                Parameter.EXPECT),
            MessageRoutes::purge),
        Route.change(
            "POST",
            "outbox/retry",
            "Put dead letters back into the queue, and try failing messages at once.",
            Parameter.list(
                DESTINATION, ID, PAYLOAD, FROM, UNTIL, Parameter.DRY_RUN, Parameter.EXPECT),
            MessageRoutes::retryOutbox),
        Route.change(
            "GET",
            "outbox/events/{id}/payload",
            "All that a dead letter is made of, its payload as Base64.",
            Parameter.list(new Parameter("destination", "Where it goes; must be there.")),
            MessageRoutes::dead),
        Route.change(
            "POST",
            "outbox/replay",
            "Send published messages again.",
            Parameter.list(
                DESTINATION,
                ID,
                FROM,
                UNTIL,
                new Parameter("new_ids", "true: as new messages, which everybody hears again."),
                Parameter.DRY_RUN,
                Parameter.EXPECT),
            MessageRoutes::replay));
  }

  private static OutboxDesk outbox(Asked asked) {
    return asked.center().outbox().orElseThrow(() -> Missing.database("outbox"));
  }

  private static Filter filter(Asked asked) {
    return new Filter(
        asked.text("destination"), asked.find("id"), asked.time("from"), asked.time("until"));
  }

  private static String purge(Asked asked) {
    Filter filter = filter(asked);
    State state = asked.choice("state", State.PENDING, State.class);
    if (state == State.PENDING) {
      throw new InvalidInput(
          "what is pending was promised to be sent, and is never deleted: state is dead or published");
    }
    OutboxDesk outbox = outbox(asked);
    return Bulk.confirmed(
        asked,
        "deleted",
        () -> outbox.count(state, filter),
        expected -> outbox.purge(state, filter, expected));
  }

  private static String dead(Asked asked) {
    return outbox(asked)
        .read(asked.required("destination"), asked.named())
        .map(found -> MessageDocument.json(found).write())
        .orElseThrow(MessageRoutes::noDeadLetter);
  }

  private static Missing noDeadLetter() {
    return new Missing("there is no such dead letter, or not any more: see outbox/events");
  }

  private static String retryOutbox(Asked asked) {
    Filter filter = filter(asked);
    OutboxDesk outbox = outbox(asked);
    Optional<byte[]> payload = asked.bytes("payload");
    if (payload.isPresent()) {
      requireOne(asked, "from", "until", "dry_run", "expect");
      if (!outbox.retry(asked.required("destination"), asked.required("id"), payload.get())) {
        throw noDeadLetter();
      }
      return Json.object().with("retried", 1).write();
    }
    return Bulk.confirmed(
        asked,
        "retried",
        () -> outbox.retriable(filter),
        expected -> outbox.retry(filter, expected));
  }

  /** What is for many is refused where one is meant: it would be passed over without a word. */
  private static void requireOne(Asked asked, String... forMany) {
    for (String each : forMany) {
      if (asked.find(each).isPresent()) {
        throw new InvalidInput("a payload is for one dead letter: leave %s out".formatted(each));
      }
    }
  }

  private static String replay(Asked asked) {
    Filter filter = filter(asked);
    boolean newIds = asked.flag("new_ids");
    OutboxDesk outbox = outbox(asked);
    return Bulk.confirmed(
        asked,
        "replayed",
        () -> outbox.count(State.PUBLISHED, filter),
        expected -> outbox.replay(filter, newIds, expected));
  }

  private static List<Route> inboxRoutes() {
    return List.of(
        Route.get(
            "inbox",
            "How many ids each consumer keeps, and what waits, failed or is in doubt.",
            List.of(),
            MessageRoutes::inboxStatus),
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
                                asked.choice(
                                    "state",
                                    InboxOperations.State.PENDING,
                                    InboxOperations.State.class),
                                asked.cursor(),
                                asked.limit()))
                    .write()),
        Route.change(
            "DELETE",
            "inbox/events",
            "Delete a consumer's dead letters.",
            Parameter.list(CONSUMER, Parameter.DRY_RUN, Parameter.EXPECT),
            MessageRoutes::purgeDead),
        Route.change(
            "POST",
            "inbox/retry",
            "Give stored messages back to their workers: all dead letters, or one message.",
            Parameter.list(CONSUMER, ID, PAYLOAD, Parameter.DRY_RUN, Parameter.EXPECT),
            MessageRoutes::retry),
        Route.change(
            "GET",
            "inbox/events/{id}/payload",
            "All that a message that waits or is dead is made of, its payload as Base64.",
            Parameter.list(CONSUMER),
            MessageRoutes::message),
        Route.change(
            "POST",
            "inbox/forget",
            "Forget one id, so that its message takes effect when it comes again.",
            Parameter.list(CONSUMER, ID),
            MessageRoutes::forget),
        Route.change(
            "POST",
            "inbox/purge",
            "Forget ids that were first seen long ago, the oldest first.",
            Parameter.list(
                CONSUMER,
                new Parameter("older_than", "Such as 90d."),
                Parameter.DRY_RUN,
                Parameter.EXPECT_AT_LEAST),
            MessageRoutes::purgeIds));
  }

  private static InboxDesk inbox(Asked asked) {
    return asked.center().inbox().orElseThrow(() -> Missing.database("inbox"));
  }

  private static String inboxStatus(Asked asked) {
    InboxDesk inbox = inbox(asked);
    return InboxDocument.json(inbox.status())
        .with("says", inbox.diagnose().stream().map(JsonValue::of).toList())
        .write();
  }

  private static String purgeDead(Asked asked) {
    InboxDesk inbox = inbox(asked);
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
        .orElseThrow(MessageRoutes::noMessage);
  }

  private static Missing noMessage() {
    return new Missing("no message of that id waits or is dead: see inbox/events");
  }

  private static String retry(Asked asked) {
    InboxDesk inbox = inbox(asked);
    String consumer = asked.required("consumer");
    Optional<byte[]> payload = asked.bytes("payload");
    if (payload.isPresent()) {
      requireOne(asked, "dry_run", "expect");
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
    InboxDesk inbox = inbox(asked);
    String consumer = asked.required("consumer");
    Duration olderThan = DurationText.parse(asked.required("older_than"));
    return Bulk.confirmed(
        asked,
        "forgot",
        () -> inbox.old(consumer, olderThan),
        expected -> inbox.purgeOld(consumer, olderThan, expected));
  }
}

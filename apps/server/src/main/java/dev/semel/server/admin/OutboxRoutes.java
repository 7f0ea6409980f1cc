package dev.semel.server.admin;

import dev.semel.InvalidInput;
import dev.semel.admin.OutboxAdmin;
import dev.semel.admin.document.MessageDocument;
import dev.semel.admin.document.OutboxDocument;
import dev.semel.json.Json;
import dev.semel.outbox.OutboxOperations;
import dev.semel.outbox.OutboxOperations.Filter;
import dev.semel.outbox.OutboxOperations.State;
import java.util.List;
import java.util.Optional;

/** Messages before the broker. */
final class OutboxRoutes {
  private static final Parameter DESTINATION = new Parameter("destination", "Only to this one.");
  private static final Parameter ID = new Parameter("id", "Only this message.");
  private static final Parameter FROM =
      new Parameter("from", "Not before, such as 2026-01-31T10:00:00Z.");
  private static final Parameter UNTIL = new Parameter("until", "Before.");

  private OutboxRoutes() {}

  static List<Route> all() {
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
            OutboxRoutes::purge),
        Route.change(
            "POST",
            "outbox/retry",
            "Put dead letters back into the queue, and try failing messages at once.",
            Parameter.list(
                DESTINATION,
                ID,
                Parameter.PAYLOAD,
                FROM,
                UNTIL,
                Parameter.DRY_RUN,
                Parameter.EXPECT),
            OutboxRoutes::retry),
        Route.change(
            "GET",
            "outbox/events/{id}/payload",
            "All that a dead letter is made of, its payload as Base64.",
            Parameter.list(new Parameter("destination", "Where it goes; must be there.")),
            OutboxRoutes::dead),
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
            OutboxRoutes::replay));
  }

  private static OutboxAdmin outbox(Asked asked) {
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
    OutboxAdmin outbox = outbox(asked);
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
        .orElseThrow(OutboxRoutes::noDeadLetter);
  }

  private static Missing noDeadLetter() {
    return new Missing("there is no such dead letter, or not any more: see outbox/events");
  }

  private static String retry(Asked asked) {
    Filter filter = filter(asked);
    OutboxAdmin outbox = outbox(asked);
    Optional<byte[]> payload = asked.bytes("payload");
    if (payload.isPresent()) {
      Bulk.refuse(asked, "from", "until");
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

  private static String replay(Asked asked) {
    Filter filter = filter(asked);
    boolean newIds = asked.flag("new_ids");
    OutboxAdmin outbox = outbox(asked);
    return Bulk.confirmed(
        asked,
        "replayed",
        () -> outbox.count(State.PUBLISHED, filter),
        expected -> outbox.replay(filter, newIds, expected));
  }
}

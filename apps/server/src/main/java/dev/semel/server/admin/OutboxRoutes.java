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
  private static final RouteParameter DESTINATION =
      new RouteParameter("destination", "Only to this one.");
  private static final RouteParameter ID = new RouteParameter("id", "Only this message.");
  private static final RouteParameter FROM =
      new RouteParameter("from", "Not before, such as 2026-01-31T10:00:00Z.");
  private static final RouteParameter UNTIL = new RouteParameter("until", "Before.");

  private OutboxRoutes() {}

  static List<AdminRoute> all() {
    RouteParameter state =
        new RouteParameter("state", "pending (if not given), dead or published.");
    return List.of(
        AdminRoute.get(
            "outbox",
            "How many messages wait, fail or are dead, and which relays run.",
            List.of(),
            asked -> OutboxDocument.json(outbox(asked).status()).write()),
        AdminRoute.get(
            "outbox/events",
            "Messages without their payload, a page at a time.",
            RouteParameter.list(
                state, DESTINATION, ID, FROM, UNTIL, RouteParameter.CURSOR, RouteParameter.LIMIT),
            asked ->
                OutboxDocument.json(
                        outbox(asked)
                            .list(
                                asked.choice("state", State.PENDING, State.class),
                                filter(asked),
                                asked.cursor(),
                                asked.limit()))
                    .write()),
        AdminRoute.get(
            "outbox/about",
            "The messages that executions of a key sent; looks at every row.",
            RouteParameter.list(
                new RouteParameter("key", "tenant/operation:id."), RouteParameter.LIMIT),
            asked ->
                OutboxDocument.json(
                        new OutboxOperations.Page(
                            outbox(asked).about(asked.key("key"), asked.limit()), ""))
                    .write()),
        AdminRoute.change(
            "DELETE",
            "outbox/events",
            "Delete dead letters or published messages; never what waits.",
            RouteParameter.list(
                new RouteParameter("state", "dead or published; must be there."),
                DESTINATION,
                ID,
                FROM,
                UNTIL,
                RouteParameter.DRY_RUN,
                RouteParameter.EXPECT),
            OutboxRoutes::purge),
        AdminRoute.change(
            "POST",
            "outbox/retry",
            "Put dead letters back into the queue, and try failing messages at once.",
            RouteParameter.list(
                DESTINATION,
                ID,
                RouteParameter.PAYLOAD,
                FROM,
                UNTIL,
                RouteParameter.DRY_RUN,
                RouteParameter.EXPECT),
            OutboxRoutes::retry),
        AdminRoute.change(
            "GET",
            "outbox/events/{id}/payload",
            "All that a dead letter is made of, its payload as Base64.",
            RouteParameter.list(new RouteParameter("destination", "Where it goes; must be there.")),
            OutboxRoutes::dead),
        AdminRoute.change(
            "POST",
            "outbox/replay",
            "Send published messages again.",
            RouteParameter.list(
                DESTINATION,
                ID,
                FROM,
                UNTIL,
                new RouteParameter(
                    "new_ids", "true: as new messages, which everybody hears again."),
                RouteParameter.DRY_RUN,
                RouteParameter.EXPECT),
            OutboxRoutes::replay));
  }

  private static OutboxAdmin outbox(AdminRequest asked) {
    return asked.center().outbox().orElseThrow(() -> NotFound.database("outbox"));
  }

  private static Filter filter(AdminRequest asked) {
    return new Filter(
        asked.text("destination"), asked.find("id"), asked.time("from"), asked.time("until"));
  }

  private static String purge(AdminRequest asked) {
    Filter filter = filter(asked);
    State state = asked.choice("state", State.PENDING, State.class);
    if (state == State.PENDING) {
      throw new InvalidInput(
          "what is pending was promised to be sent, and is never deleted: state is dead or published");
    }
    OutboxAdmin outbox = outbox(asked);
    return BulkChange.confirmed(
        asked,
        "deleted",
        () -> outbox.count(state, filter),
        expected -> outbox.purge(state, filter, expected));
  }

  private static String dead(AdminRequest asked) {
    return outbox(asked)
        .read(asked.required("destination"), asked.named())
        .map(found -> MessageDocument.json(found).write())
        .orElseThrow(OutboxRoutes::noDeadLetter);
  }

  private static NotFound noDeadLetter() {
    return new NotFound("there is no such dead letter, or not any more: see outbox/events");
  }

  private static String retry(AdminRequest asked) {
    Filter filter = filter(asked);
    OutboxAdmin outbox = outbox(asked);
    Optional<byte[]> payload = asked.bytes("payload");
    if (payload.isPresent()) {
      BulkChange.refuse(asked, "from", "until");
      if (!outbox.retry(asked.required("destination"), asked.required("id"), payload.get())) {
        throw noDeadLetter();
      }
      return Json.object().with("retried", 1).write();
    }
    return BulkChange.confirmed(
        asked,
        "retried",
        () -> outbox.retriable(filter),
        expected -> outbox.retry(filter, expected));
  }

  private static String replay(AdminRequest asked) {
    Filter filter = filter(asked);
    boolean newIds = asked.flag("new_ids");
    OutboxAdmin outbox = outbox(asked);
    return BulkChange.confirmed(
        asked,
        "replayed",
        () -> outbox.count(State.PUBLISHED, filter),
        expected -> outbox.replay(filter, newIds, expected));
  }
}

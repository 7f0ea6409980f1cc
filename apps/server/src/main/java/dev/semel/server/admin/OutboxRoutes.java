package dev.semel.server.admin;

import dev.semel.InvalidInput;
import dev.semel.admin.OutboxAdmin;
import dev.semel.admin.document.internal.AdminAction;
import dev.semel.admin.document.internal.MessageDocument;
import dev.semel.admin.document.internal.OutboxDocument;
import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import dev.semel.outbox.spi.OutboxOperations;
import dev.semel.outbox.spi.OutboxOperations.Filter;
import dev.semel.outbox.spi.OutboxOperations.State;
import java.util.List;
import java.util.Optional;

/** Actions on the outbox. */
final class OutboxRoutes {
  private OutboxRoutes() {}

  static List<AdminRoute> all() {
    return List.of(
        AdminRoute.of(
            AdminAction.OUTBOX_STATUS, asked -> OutboxDocument.json(outbox(asked).status())),
        AdminRoute.of(AdminAction.OUTBOX_LIST, OutboxRoutes::list),
        AdminRoute.of(AdminAction.OUTBOX_ABOUT, OutboxRoutes::about),
        AdminRoute.of(AdminAction.OUTBOX_PURGE, OutboxRoutes::purge),
        AdminRoute.of(AdminAction.OUTBOX_RETRY, OutboxRoutes::retry),
        AdminRoute.of(AdminAction.OUTBOX_PAYLOAD, OutboxRoutes::dead),
        AdminRoute.of(AdminAction.OUTBOX_REPLAY, OutboxRoutes::replay));
  }

  private static JsonObjectBuilder list(AdminRequest asked) {
    return OutboxDocument.json(
        outbox(asked)
            .list(
                asked.choice("state", State.class), filter(asked), asked.cursor(), asked.limit()));
  }

  private static JsonObjectBuilder about(AdminRequest asked) {
    return OutboxDocument.json(
        new OutboxOperations.Page(outbox(asked).about(asked.key("key"), asked.limit()), ""));
  }

  private static OutboxAdmin outbox(AdminRequest asked) {
    return asked.center().outbox().orElseThrow(() -> NotFound.database("outbox"));
  }

  private static Filter filter(AdminRequest asked) {
    return new Filter(
        asked.text("destination"), asked.find("id"), asked.time("from"), asked.time("until"));
  }

  private static JsonObjectBuilder purge(AdminRequest asked) {
    Filter filter = filter(asked);
    State state = asked.choice("state", State.class);
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

  private static JsonObjectBuilder dead(AdminRequest asked) {
    return outbox(asked)
        .read(asked.required("destination"), asked.named())
        .map(MessageDocument::json)
        .orElseThrow(OutboxRoutes::noDeadLetter);
  }

  private static NotFound noDeadLetter() {
    return new NotFound("there is no such dead letter, or not any more: see outbox/events");
  }

  private static JsonObjectBuilder retry(AdminRequest asked) {
    Filter filter = filter(asked);
    OutboxAdmin outbox = outbox(asked);
    Optional<byte[]> payload = asked.bytes("payload");
    if (payload.isPresent()) {
      BulkChange.refuse(asked, "from", "until");
      if (!outbox.retry(asked.required("destination"), asked.required("id"), payload.get())) {
        throw noDeadLetter();
      }
      return Json.object().with("retried", 1);
    }
    return BulkChange.confirmed(
        asked,
        "retried",
        () -> outbox.retriable(filter),
        expected -> outbox.retry(filter, expected));
  }

  private static JsonObjectBuilder replay(AdminRequest asked) {
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

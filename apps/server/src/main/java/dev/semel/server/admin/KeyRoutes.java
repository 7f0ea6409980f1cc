package dev.semel.server.admin;

import dev.semel.Token;
import dev.semel.admin.EditConflict;
import dev.semel.admin.KeyFilter;
import dev.semel.admin.KeyRecord;
import dev.semel.admin.KeyState;
import dev.semel.admin.StoreAdmin;
import dev.semel.admin.document.EventDocument;
import dev.semel.admin.document.KeyDocument;
import dev.semel.admin.document.KeyTimelineDocument;
import dev.semel.idempotency.Payload;
import dev.semel.json.Json;
import java.util.Base64;
import java.util.List;

/** Records, one by one and many at once. */
final class KeyRoutes {
  private static final RouteParameter PREFIX =
      new RouteParameter("prefix", "Only keys that begin so: tenant/operation:…");
  private static final RouteParameter TEXT =
      new RouteParameter("text", "Only keys that hold this text, in whichever case.");
  private static final RouteParameter STATE =
      new RouteParameter(
          "state", "Only these, with commas: in_flight, in_doubt, completed, failed, released.");

  private KeyRoutes() {}

  static List<AdminRoute> all() {
    return List.of(
        AdminRoute.get(
            "keys",
            "Records, a page at a time.",
            RouteParameter.list(PREFIX, TEXT, STATE, RouteParameter.CURSOR, RouteParameter.LIMIT),
            asked ->
                KeyDocument.json(asked.center().keys(filter(asked), asked.cursor(), asked.limit()))
                    .write()),
        AdminRoute.change(
            "DELETE",
            "keys",
            "Forget all chosen records.",
            RouteParameter.list(PREFIX, TEXT, STATE, RouteParameter.DRY_RUN, RouteParameter.EXPECT),
            KeyRoutes::deleteMany),
        AdminRoute.get(
            "keys/{key}/events",
            "The newest events about a key, oldest of them first.",
            RouteParameter.list(RouteParameter.LIMIT),
            asked -> EventDocument.json(asked.center().about(asked.key(), asked.limit())).write()),
        AdminRoute.get(
            "keys/{key}/life-line",
            "All that is known of a key, in order: record, events, messages, job, expiry.",
            List.of(),
            asked -> KeyTimelineDocument.json(asked.center().lifeLine(asked.key())).write()),
        AdminRoute.change(
            "GET",
            "keys/{key}/payload",
            "What is kept as a key's response.",
            List.of(),
            KeyRoutes::payload),
        AdminRoute.change(
            "POST",
            "keys/{key}/release",
            "Let the next call run, whatever the key's state.",
            RouteParameter.list(new RouteParameter("token", "Only if this token holds the key.")),
            KeyRoutes::release),
        AdminRoute.get("keys/{key}", "One record.", List.of(), KeyRoutes::inspect),
        AdminRoute.change(
            "DELETE", "keys/{key}", "Forget one record.", List.of(), KeyRoutes::deleteOne));
  }

  private static KeyFilter filter(AdminRequest asked) {
    return new KeyFilter(
        asked.text(PREFIX.name()),
        asked.text(TEXT.name()),
        asked.choices(STATE.name(), KeyState.class));
  }

  private static String deleteMany(AdminRequest asked) {
    KeyFilter filter = filter(asked);
    return BulkChange.confirmed(
        asked,
        "deleted",
        () -> asked.center().count(filter),
        expected -> asked.center().delete(filter, expected));
  }

  private static NotFound none(AdminRequest asked) {
    return new NotFound(
        "there is no key %s in this store, or its retention has ended".formatted(asked.key()));
  }

  private static String inspect(AdminRequest asked) {
    KeyRecord found = asked.center().inspect(asked.key()).orElseThrow(() -> none(asked));
    return KeyDocument.whole(found).write();
  }

  private static String payload(AdminRequest asked) {
    Payload found = asked.center().payload(asked.key()).orElseThrow(() -> none(asked));
    return Json.object()
        .with("type", found.type())
        .with("base64", Base64.getEncoder().encodeToString(found.bytes()))
        .write();
  }

  private static String release(AdminRequest asked) {
    StoreAdmin.Release release =
        asked
            .find("token")
            .map(token -> asked.center().release(asked.key(), Token.parse(token)))
            .orElseGet(() -> asked.center().forceRelease(asked.key()));
    return switch (release) {
      case RELEASED -> Json.object().with("key", asked.key().text()).with("released", true).write();
      case NOT_FOUND -> throw none(asked);
      case NOT_HELD ->
          throw new EditConflict(
              "the token does not hold %s: someone else does, or it has ended"
                  .formatted(asked.key()));
    };
  }

  private static String deleteOne(AdminRequest asked) {
    if (!asked.center().delete(asked.key())) {
      throw none(asked);
    }
    return Json.object().with("key", asked.key().text()).with("deleted", true).write();
  }
}

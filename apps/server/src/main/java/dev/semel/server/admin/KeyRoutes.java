package dev.semel.server.admin;

import dev.semel.Token;
import dev.semel.admin.EditConflict;
import dev.semel.admin.KeyFilter;
import dev.semel.admin.KeyRecord;
import dev.semel.admin.KeyState;
import dev.semel.admin.StoreAdmin;
import dev.semel.admin.document.internal.AdminAction;
import dev.semel.admin.document.internal.EventDocument;
import dev.semel.admin.document.internal.KeyDocument;
import dev.semel.admin.document.internal.KeyTimelineDocument;
import dev.semel.idempotency.Payload;
import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import java.util.Base64;
import java.util.List;

/** Actions on keys, one by one and in bulk. */
final class KeyRoutes {
  private KeyRoutes() {}

  static List<AdminRoute> all() {
    return List.of(
        AdminRoute.of(
            AdminAction.KEYS_LIST,
            asked ->
                KeyDocument.json(
                    asked.center().keys(filter(asked), asked.cursor(), asked.limit()))),
        AdminRoute.of(AdminAction.KEYS_DELETE_MANY, KeyRoutes::deleteMany),
        AdminRoute.of(
            AdminAction.KEYS_EVENTS,
            asked -> EventDocument.json(asked.center().about(asked.key(), asked.limit()))),
        AdminRoute.of(
            AdminAction.KEYS_LIFE_LINE,
            asked -> KeyTimelineDocument.json(asked.center().lifeLine(asked.key()))),
        AdminRoute.of(AdminAction.KEYS_PAYLOAD, KeyRoutes::payload),
        AdminRoute.of(AdminAction.KEYS_RELEASE, KeyRoutes::release),
        AdminRoute.of(AdminAction.KEYS_INSPECT, KeyRoutes::inspect),
        AdminRoute.of(AdminAction.KEYS_DELETE, KeyRoutes::deleteOne));
  }

  private static KeyFilter filter(AdminRequest asked) {
    return new KeyFilter(
        asked.text("prefix"), asked.text("text"), asked.choices("state", KeyState.class));
  }

  private static JsonObjectBuilder deleteMany(AdminRequest asked) {
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

  private static JsonObjectBuilder inspect(AdminRequest asked) {
    KeyRecord found = asked.center().inspect(asked.key()).orElseThrow(() -> none(asked));
    return KeyDocument.whole(found);
  }

  private static JsonObjectBuilder payload(AdminRequest asked) {
    Payload found = asked.center().payload(asked.key()).orElseThrow(() -> none(asked));
    return Json.object()
        .with("type", found.type())
        .with("base64", Base64.getEncoder().encodeToString(found.bytes()));
  }

  private static JsonObjectBuilder release(AdminRequest asked) {
    StoreAdmin.Release release =
        asked
            .find("token")
            .map(token -> asked.center().release(asked.key(), Token.parse(token)))
            .orElseGet(() -> asked.center().forceRelease(asked.key()));
    return switch (release) {
      case RELEASED -> Json.object().with("key", asked.key().text()).with("released", true);
      case NOT_FOUND -> throw none(asked);
      case NOT_HELD ->
          throw new EditConflict(
              "the token does not hold %s: someone else does, or it has ended"
                  .formatted(asked.key()));
    };
  }

  private static JsonObjectBuilder deleteOne(AdminRequest asked) {
    if (!asked.center().delete(asked.key())) {
      throw none(asked);
    }
    return Json.object().with("key", asked.key().text()).with("deleted", true);
  }
}

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
  private static final Parameter PREFIX =
      new Parameter("prefix", "Only keys that begin so: tenant/operation:…");
  private static final Parameter TEXT =
      new Parameter("text", "Only keys that hold this text, in whichever case.");
  private static final Parameter STATE =
      new Parameter(
          "state", "Only these, with commas: in_flight, in_doubt, completed, failed, released.");

  private KeyRoutes() {}

  static List<Route> all() {
    return List.of(
        Route.get(
            "keys",
            "Records, a page at a time.",
            Parameter.list(PREFIX, TEXT, STATE, Parameter.CURSOR, Parameter.LIMIT),
            asked ->
                KeyDocument.json(asked.center().keys(filter(asked), asked.cursor(), asked.limit()))
                    .write()),
        Route.change(
            "DELETE",
            "keys",
            "Forget all chosen records.",
            Parameter.list(PREFIX, TEXT, STATE, Parameter.DRY_RUN, Parameter.EXPECT),
            KeyRoutes::deleteMany),
        Route.get(
            "keys/{key}/events",
            "The newest events about a key, oldest of them first.",
            Parameter.list(Parameter.LIMIT),
            asked -> EventDocument.json(asked.center().about(asked.key(), asked.limit())).write()),
        Route.get(
            "keys/{key}/life-line",
            "All that is known of a key, in order: record, events, messages, job, expiry.",
            List.of(),
            asked -> KeyTimelineDocument.json(asked.center().lifeLine(asked.key())).write()),
        Route.change(
            "GET",
            "keys/{key}/payload",
            "What is kept as a key's response.",
            List.of(),
            KeyRoutes::payload),
        Route.change(
            "POST",
            "keys/{key}/release",
            "Let the next call run, whatever the key's state.",
            Parameter.list(new Parameter("token", "Only if this token holds the key.")),
            KeyRoutes::release),
        Route.get("keys/{key}", "One record.", List.of(), KeyRoutes::inspect),
        Route.change(
            "DELETE", "keys/{key}", "Forget one record.", List.of(), KeyRoutes::deleteOne));
  }

  private static KeyFilter filter(Asked asked) {
    return new KeyFilter(
        asked.text(PREFIX.name()),
        asked.text(TEXT.name()),
        asked.choices(STATE.name(), KeyState.class));
  }

  private static String deleteMany(Asked asked) {
    KeyFilter filter = filter(asked);
    return Bulk.confirmed(
        asked,
        "deleted",
        () -> asked.center().count(filter),
        expected -> asked.center().delete(filter, expected));
  }

  private static Missing none(Asked asked) {
    return new Missing(
        "there is no key %s in this store, or its retention has ended".formatted(asked.key()));
  }

  private static String inspect(Asked asked) {
    KeyRecord found = asked.center().inspect(asked.key()).orElseThrow(() -> none(asked));
    return KeyDocument.whole(found).write();
  }

  private static String payload(Asked asked) {
    Payload found = asked.center().payload(asked.key()).orElseThrow(() -> none(asked));
    return Json.object()
        .with("type", found.type())
        .with("base64", Base64.getEncoder().encodeToString(found.bytes()))
        .write();
  }

  private static String release(Asked asked) {
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

  private static String deleteOne(Asked asked) {
    if (!asked.center().delete(asked.key())) {
      throw none(asked);
    }
    return Json.object().with("key", asked.key().text()).with("deleted", true).write();
  }
}

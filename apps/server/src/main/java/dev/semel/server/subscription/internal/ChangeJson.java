package dev.semel.server.subscription.internal;

import dev.semel.InvalidInput;
import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.server.subscription.internal.rules.JsonFields;
import dev.semel.server.subscription.internal.rules.SigningKey;
import dev.semel.server.subscription.internal.rules.StreamGlob;
import dev.semel.server.subscription.internal.rules.SubscriptionChange;
import dev.semel.server.subscription.internal.rules.SubscriptionConfig;
import dev.semel.server.subscription.internal.rules.WakeDelivery;
import dev.semel.stream.Offset;
import dev.semel.stream.StreamPath;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The stored form of changes. Names keep their meaning; new ones may be added. */
final class ChangeJson {
  private ChangeJson() {}

  static JsonObject write(SubscriptionChange change) {
    return switch (change) {
      case SubscriptionChange.Secret c -> record("secret").with("base64", c.base64()).build();
      case SubscriptionChange.Key c -> key(c.key());
      case SubscriptionChange.Floor c -> record("floor").with("generation", c.generation()).build();
      case SubscriptionChange.Put c -> put(c);
      case SubscriptionChange.Opened c -> of("opened", c).build();
      case SubscriptionChange.Based c -> of("based", c).with("base", c.base()).build();
      case SubscriptionChange.Linked c ->
          of("linked", c)
              .with("path", c.path().text())
              .with("explicit", c.explicit())
              .with("incarnation", c.incarnation())
              .with("acked", c.acked().position())
              .build();
      case SubscriptionChange.Unlinked c -> of("unlinked", c).with("path", c.path().text()).build();
      case SubscriptionChange.Woken c ->
          of("woken", c)
              .with("generation", c.generation())
              .with("wake", c.wake())
              .with("at", c.at())
              .with("snapshot", offsets(c.snapshot()))
              .build();
      case SubscriptionChange.Claimed c -> of("claimed", c).with("worker", c.worker()).build();
      case SubscriptionChange.Accepted c -> of("accepted", c).build();
      case SubscriptionChange.Acked c ->
          of("acked", c).with("offsets", offsets(c.offsets())).build();
      case SubscriptionChange.Tried c ->
          of("tried", c).with("failures", c.failures()).with("next", c.next()).build();
      case SubscriptionChange.Ended c -> of("ended", c).build();
      case SubscriptionChange.Removed c -> of("removed", c).build();
    };
  }

  private static JsonObjectBuilder record(String kind) {
    return Json.object().with("change", kind);
  }

  private static JsonObjectBuilder of(String kind, SubscriptionChange.Of change) {
    return record(kind).with("id", change.id());
  }

  private static JsonObject key(SigningKey key) {
    return record("key")
        .with("kid", key.kid())
        .with("x", key.x())
        .with("pkcs8", key.pkcs8())
        .with("at", key.at())
        .build();
  }

  private static JsonObject put(SubscriptionChange.Put put) {
    SubscriptionConfig config = put.config();
    JsonObjectBuilder members =
        of("put", put)
            .with("base", put.base())
            .with("at", put.at())
            .with("generation", put.generation())
            .with("lease", config.lease().toMillis())
            .with("streams", config.streams().stream().map(p -> JsonValue.of(p.text())).toList());
    config.pattern().ifPresent(p -> members.with("pattern", p.toString()));
    config.description().ifPresent(d -> members.with("description", d));
    switch (config.delivery()) {
      case WakeDelivery.Webhook w -> members.with("webhook", w.url());
      case WakeDelivery.PullWake p -> members.with("wake_stream", p.stream().text());
    }
    return members.build();
  }

  private static List<JsonValue> offsets(Map<StreamPath, Offset> offsets) {
    List<JsonValue> items = new ArrayList<>();
    offsets.forEach(
        (path, offset) ->
            items.add(
                Json.object().with("path", path.text()).with("offset", offset.position()).build()));
    return items;
  }

  /** Refuses a change that this version doesn't know: without it the rest means nothing. */
  static SubscriptionChange read(JsonValue value) {
    JsonFields in = JsonFields.of(value, "a change");
    String kind = in.text("change");
    return switch (kind) {
      case "secret" -> new SubscriptionChange.Secret(in.text("base64"));
      case "key" ->
          new SubscriptionChange.Key(
              new SigningKey(in.text("kid"), in.text("x"), in.text("pkcs8"), in.number("at")));
      case "floor" -> new SubscriptionChange.Floor(in.number("generation"));
      default -> read(kind, in.text("id"), in);
    };
  }

  private static SubscriptionChange read(String kind, String id, JsonFields in) {
    return switch (kind) {
      case "put" ->
          new SubscriptionChange.Put(
              id, config(in), in.text("base"), in.number("at"), in.number("generation"));
      case "opened" -> new SubscriptionChange.Opened(id);
      case "based" -> new SubscriptionChange.Based(id, in.text("base"));
      case "linked" ->
          new SubscriptionChange.Linked(
              id,
              path(in),
              in.flag("explicit"),
              in.number("incarnation"),
              new Offset(in.number("acked")));
      case "unlinked" -> new SubscriptionChange.Unlinked(id, path(in));
      case "woken" ->
          new SubscriptionChange.Woken(
              id,
              in.number("generation"),
              in.text("wake"),
              in.number("at"),
              offsets(in.list("snapshot")));
      case "claimed" -> new SubscriptionChange.Claimed(id, in.text("worker"));
      case "accepted" -> new SubscriptionChange.Accepted(id);
      case "acked" -> new SubscriptionChange.Acked(id, offsets(in.list("offsets")));
      case "tried" ->
          new SubscriptionChange.Tried(
              id, Math.toIntExact(in.number("failures")), in.number("next"));
      case "ended" -> new SubscriptionChange.Ended(id);
      case "removed" -> new SubscriptionChange.Removed(id);
      default ->
          throw new InvalidInput(
              "the state of subscriptions holds a change \"%s\" that this version does not know: start a newer one"
                  .formatted(kind));
    };
  }

  private static StreamPath path(JsonFields in) {
    return new StreamPath(in.text("path"));
  }

  private static SubscriptionConfig config(JsonFields in) {
    WakeDelivery delivery =
        in.findText("webhook")
            .<WakeDelivery>map(WakeDelivery.Webhook::new)
            .orElseGet(() -> new WakeDelivery.PullWake(new StreamPath(in.text("wake_stream"))));
    return new SubscriptionConfig(
        in.findText("pattern").map(StreamGlob::parse),
        in.list("streams").stream()
            .map(v -> new StreamPath(JsonFields.text(v, "streams")))
            .toList(),
        delivery,
        Duration.ofMillis(in.number("lease")),
        in.findText("description"));
  }

  private static Map<StreamPath, Offset> offsets(List<JsonValue> items) {
    Map<StreamPath, Offset> offsets = new LinkedHashMap<>();
    for (JsonValue item : items) {
      JsonFields in = JsonFields.of(item, "an offset");
      offsets.put(path(in), new Offset(in.number("offset")));
    }
    return offsets;
  }
}

package dev.semel.server.subscription;

import dev.semel.InvalidInput;
import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.stream.Offset;
import dev.semel.stream.StreamPath;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Changes as they are written down. Names and meanings stay; new ones may join. */
final class ChangeJson {
  private ChangeJson() {}

  static JsonObject write(Change change) {
    return switch (change) {
      case Change.Secret c -> record("secret").with("base64", c.base64()).build();
      case Change.Key c -> key(c.key());
      case Change.Floor c -> record("floor").with("generation", c.generation()).build();
      case Change.Put c -> put(c);
      case Change.Opened c -> of("opened", c).build();
      case Change.Based c -> of("based", c).with("base", c.base()).build();
      case Change.Linked c ->
          of("linked", c)
              .with("path", c.path().text())
              .with("explicit", c.explicit())
              .with("incarnation", c.incarnation())
              .with("acked", c.acked().position())
              .build();
      case Change.Unlinked c -> of("unlinked", c).with("path", c.path().text()).build();
      case Change.Woken c ->
          of("woken", c)
              .with("generation", c.generation())
              .with("wake", c.wake())
              .with("at", c.at())
              .with("snapshot", offsets(c.snapshot()))
              .build();
      case Change.Claimed c -> of("claimed", c).with("worker", c.worker()).build();
      case Change.Accepted c -> of("accepted", c).build();
      case Change.Acked c -> of("acked", c).with("offsets", offsets(c.offsets())).build();
      case Change.Tried c ->
          of("tried", c).with("failures", c.failures()).with("next", c.next()).build();
      case Change.Ended c -> of("ended", c).build();
      case Change.Removed c -> of("removed", c).build();
    };
  }

  private static JsonObjectBuilder record(String kind) {
    return Json.object().with("change", kind);
  }

  private static JsonObjectBuilder of(String kind, Change.Of change) {
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

  private static JsonObject put(Change.Put put) {
    Config config = put.config();
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
      case Delivery.Webhook w -> members.with("webhook", w.url());
      case Delivery.PullWake p -> members.with("wake_stream", p.stream().text());
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

  /** A change that this version doesn't know is refused: without it the rest means nothing. */
  static Change read(JsonValue value) {
    Fields in = Fields.of(value, "a change");
    String kind = in.text("change");
    return switch (kind) {
      case "secret" -> new Change.Secret(in.text("base64"));
      case "key" ->
          new Change.Key(
              new SigningKey(in.text("kid"), in.text("x"), in.text("pkcs8"), in.number("at")));
      case "floor" -> new Change.Floor(in.number("generation"));
      default -> read(kind, in.text("id"), in);
    };
  }

  private static Change read(String kind, String id, Fields in) {
    return switch (kind) {
      case "put" ->
          new Change.Put(id, config(in), in.text("base"), in.number("at"), in.number("generation"));
      case "opened" -> new Change.Opened(id);
      case "based" -> new Change.Based(id, in.text("base"));
      case "linked" ->
          new Change.Linked(
              id,
              path(in),
              in.flag("explicit"),
              in.number("incarnation"),
              new Offset(in.number("acked")));
      case "unlinked" -> new Change.Unlinked(id, path(in));
      case "woken" ->
          new Change.Woken(
              id,
              in.number("generation"),
              in.text("wake"),
              in.number("at"),
              offsets(in.list("snapshot")));
      case "claimed" -> new Change.Claimed(id, in.text("worker"));
      case "accepted" -> new Change.Accepted(id);
      case "acked" -> new Change.Acked(id, offsets(in.list("offsets")));
      case "tried" ->
          new Change.Tried(id, Math.toIntExact(in.number("failures")), in.number("next"));
      case "ended" -> new Change.Ended(id);
      case "removed" -> new Change.Removed(id);
      default ->
          throw new InvalidInput(
              "the state of subscriptions holds a change \"%s\" that this version does not know: start a newer one"
                  .formatted(kind));
    };
  }

  private static StreamPath path(Fields in) {
    return new StreamPath(in.text("path"));
  }

  private static Config config(Fields in) {
    Delivery delivery =
        in.findText("webhook")
            .<Delivery>map(Delivery.Webhook::new)
            .orElseGet(() -> new Delivery.PullWake(new StreamPath(in.text("wake_stream"))));
    return new Config(
        in.findText("pattern").map(Glob::parse),
        in.list("streams").stream().map(v -> new StreamPath(Fields.text(v, "streams"))).toList(),
        delivery,
        Duration.ofMillis(in.number("lease")),
        in.findText("description"));
  }

  private static Map<StreamPath, Offset> offsets(List<JsonValue> items) {
    Map<StreamPath, Offset> offsets = new LinkedHashMap<>();
    for (JsonValue item : items) {
      Fields in = Fields.of(item, "an offset");
      offsets.put(path(in), new Offset(in.number("offset")));
    }
    return offsets;
  }
}

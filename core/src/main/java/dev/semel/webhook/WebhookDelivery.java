package dev.semel.webhook;

import dev.semel.alert.Alert;
import dev.semel.event.EventLine;
import dev.semel.internal.Ids;
import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/**
 * One message to a webhook.
 *
 * @param id the same each time it is sent, on every machine
 * @param since on {@link dev.semel.loop.Platform#nanos}
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record WebhookDelivery(String id, byte[] body, long since) {
  /** The id covers the alert's state, so the begin and the end of an alert have two ids. */
  static WebhookDelivery of(Alert alert, long since) {
    String id = id("alert", alert.id(), alert.state().name());
    JsonObjectBuilder members =
        start(id, "alert", alert.since().toString()).with("alert", alert.json());
    return new WebhookDelivery(id, bytes(members), since);
  }

  static WebhookDelivery of(EventLine line, long since) {
    String id = id("event", line.writer(), Long.toString(line.number()));
    JsonObjectBuilder event =
        Json.object()
            .with("kind", line.kind())
            .withUnlessEmpty("tenant", line.tenant())
            .withUnlessEmpty("operation", line.operation())
            .withUnlessEmpty("key", line.personal().id())
            .with("details", Json.parse(line.details()));
    if (!line.personal().more().isEmpty()) {
      event.with("more", Json.parse(line.personal().more()));
    }
    JsonObjectBuilder members =
        start(id, "event", Instant.ofEpochMilli(line.atMillis()).toString())
            .with("event", event.build());
    return new WebhookDelivery(id, bytes(members), since);
  }

  private static String id(String type, String name, String part) {
    return Ids.named("webhook " + type + " " + name + " " + part).toString();
  }

  private static JsonObjectBuilder start(String id, String type, String at) {
    return Json.object().with("id", id).with("type", type).with("at", at);
  }

  private static byte[] bytes(JsonObjectBuilder members) {
    return members.write().getBytes(StandardCharsets.UTF_8);
  }
}

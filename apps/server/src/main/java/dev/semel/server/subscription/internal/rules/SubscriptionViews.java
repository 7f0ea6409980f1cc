package dev.semel.server.subscription.internal.rules;

import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonArray;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.server.subscription.internal.http.SubscriptionRoute;
import dev.semel.stream.Offset;
import dev.semel.stream.StreamPath;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Renders subscriptions and wakes for callers and receivers. */
public final class SubscriptionViews {
  /** Always with milliseconds. */
  private static final DateTimeFormatter TIME =
      new DateTimeFormatterBuilder().appendInstant(3).toFormatter();

  private final SubscriptionTable table;
  private final String root;

  /**
   * @param root prefix of stream paths in addresses
   */
  public SubscriptionViews(SubscriptionTable table, String root) {
    this.table = table;
    this.root = root;
  }

  public JsonObject subscription(Subscription s) {
    JsonObjectBuilder members = Json.object().with("id", s.id()).with("subscription_id", s.id());
    switch (s.config().delivery()) {
      case WakeDelivery.Webhook w -> members.with("type", "webhook").with("webhook", webhook(s, w));
      case WakeDelivery.PullWake p ->
          members.with("type", "pull-wake").with("wake_stream", p.stream().text());
    }
    s.config().pattern().ifPresent(p -> members.with("pattern", p.toString()));
    members
        .with("streams", links(s))
        .with("lease_ttl_ms", s.config().lease().toMillis())
        .with("created_at", TIME.format(Instant.ofEpochMilli(s.createdAt())))
        .with("status", s.failures() > 0 ? "failed" : "active");
    s.config().description().ifPresent(d -> members.with("description", d));
    if (s.now().full()) {
      members.with("limit_reached", true);
    }
    return members.build();
  }

  private JsonObject webhook(Subscription s, WakeDelivery.Webhook webhook) {
    return Json.object()
        .with("url", webhook.url())
        .with(
            "signing",
            Json.object()
                .with("alg", "ed25519")
                .with("kid", table.keys().active().kid())
                .with("jwks_url", s.base() + root + StreamPath.RESERVED + "/jwks.json")
                .build())
        .build();
  }

  private static List<JsonValue> links(Subscription s) {
    List<JsonValue> items = new ArrayList<>();
    s.links().forEach((path, link) -> items.add(head(path, link).build()));
    return items;
  }

  private static JsonObjectBuilder head(StreamPath path, FollowedStream link) {
    return Json.object()
        .with("path", path.text())
        .with("link_type", link.explicit() ? "explicit" : "glob")
        .with("acked_offset", link.acked().text());
  }

  private static JsonObject progress(StreamPath path, FollowedStream link, Offset tail) {
    return head(path, link)
        .with("tail_offset", tail.text())
        .with("has_pending", tail.compareTo(link.acked()) > 0)
        .build();
  }

  public JsonObject keys(long now) {
    return Json.object()
        .with("keys", table.keys().published(now).stream().map(SigningKey::jwk).toList())
        .build();
  }

  /** The body for a webhook's receiver: the same in each call for the same wake. */
  public JsonObject wake(Subscription s, Wake wake) {
    List<JsonValue> streams = new ArrayList<>();
    wake.snapshot()
        .forEach(
            (path, tail) -> {
              FollowedStream link = s.link(path);
              if (link != null && !s.untold(path)) {
                streams.add(progress(path, link, tail));
              }
            });
    for (Map.Entry<StreamPath, FollowedStream> entry : s.links().entrySet()) {
      if (streams.size() >= WakeSchedule.MAX_STREAMS) {
        break;
      }
      if (!wake.snapshot().containsKey(entry.getKey()) && !s.untold(entry.getKey())) {
        // The holder was done with it then; later data belongs to another wake.
        streams.add(progress(entry.getKey(), entry.getValue(), entry.getValue().acked()));
      }
    }
    return Json.object()
        .with("subscription_id", s.id())
        .with("wake_id", wake.id())
        .with("generation", wake.generation())
        .with("streams", streams)
        .with("callback_url", s.base() + root + SubscriptionRoute.callback(s.id()))
        .with("callback_token", token(s, wake))
        .build();
  }

  private String token(Subscription s, Wake wake) {
    return new WakeTokens(table.secret()).sign(new WakePass(s.id(), wake.id(), wake.generation()));
  }

  JsonObject claim(Subscription s) {
    Wake wake = s.wake().orElseThrow();
    return Json.object()
        .with("wake_id", wake.id())
        .with("generation", wake.generation())
        .with("token", token(s, wake))
        .with("streams", new JsonArray(claimed(s)))
        .with("lease_ttl_ms", s.config().lease().toMillis())
        .build();
  }

  /** Pending ones come first, because not all may fit. */
  private static List<JsonValue> claimed(Subscription s) {
    Set<StreamPath> paths = new LinkedHashSet<>(s.pending());
    paths.addAll(s.links().keySet());
    List<JsonValue> streams = new ArrayList<>();
    for (StreamPath path : paths) {
      FollowedStream link = s.link(path);
      if (link != null && streams.size() < WakeSchedule.MAX_STREAMS) {
        streams.add(progress(path, link, link.tail()));
      }
    }
    return streams;
  }

  /** An event on a wake stream. */
  public static JsonObject event(Subscription s, Wake wake) {
    return Json.object()
        .with("type", "wake")
        .with("subscription_id", s.id())
        .with(
            "stream",
            wake.snapshot().keySet().stream().findFirst().map(StreamPath::text).orElse(""))
        .with("generation", wake.generation())
        .with("ts", wake.at())
        .build();
  }
}

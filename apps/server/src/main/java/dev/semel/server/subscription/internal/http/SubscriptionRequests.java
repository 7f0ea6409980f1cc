package dev.semel.server.subscription.internal.http;

import dev.semel.InvalidInput;
import dev.semel.internal.PrintableText;
import dev.semel.json.Json;
import dev.semel.json.JsonValue;
import dev.semel.server.subscription.internal.rules.HolderRequest;
import dev.semel.server.subscription.internal.rules.JsonFields;
import dev.semel.server.subscription.internal.rules.StreamGlob;
import dev.semel.server.subscription.internal.rules.StreamPaths;
import dev.semel.server.subscription.internal.rules.SubscriptionAck;
import dev.semel.server.subscription.internal.rules.SubscriptionConfig;
import dev.semel.server.subscription.internal.rules.WakeDelivery;
import dev.semel.stream.Offset;
import dev.semel.stream.StreamPath;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Parses the bodies of requests. */
final class SubscriptionRequests {
  /** Longest name of a worker, in characters. */
  static final int MAX_WORKER = 256;

  private SubscriptionRequests() {}

  private static JsonFields fields(byte[] body) {
    return JsonFields.of(
        Json.parse(body.length == 0 ? "{}".getBytes(StandardCharsets.UTF_8) : body),
        "the request's body");
  }

  static SubscriptionConfig config(byte[] body) {
    JsonFields in = fields(body);
    Optional<StreamGlob> pattern =
        in.findText("pattern").filter(p -> !p.isEmpty()).map(StreamGlob::parse);
    List<StreamPath> streams = paths(in);
    if (pattern.isEmpty() && streams.isEmpty()) {
      throw new InvalidInput("neither pattern nor streams is given: say what to follow");
    }
    SubscriptionConfig config =
        new SubscriptionConfig(pattern, streams, delivery(in), lease(in), description(in));
    if (streams.stream().anyMatch(config::isWakeStream)) {
      throw new InvalidInput("a subscription can't follow its own wake_stream: leave it out");
    }
    return config;
  }

  private static List<StreamPath> paths(JsonFields in) {
    return in.list("streams").stream()
        .map(v -> StreamPaths.parse(JsonFields.text(v, "streams")))
        .toList();
  }

  private static WakeDelivery delivery(JsonFields in) {
    return switch (in.text("type")) {
      case "webhook" ->
          new WakeDelivery.Webhook(
              in.findObject("webhook")
                  .flatMap(w -> w.findText("url"))
                  .filter(url -> !url.isEmpty())
                  .orElseThrow(() -> new InvalidInput("a webhook needs webhook.url")));
      case "pull-wake" ->
          new WakeDelivery.PullWake(
              in.findText("wake_stream")
                  .filter(path -> !path.isEmpty())
                  .map(StreamPaths::parse)
                  .orElseThrow(() -> new InvalidInput("a pull-wake needs wake_stream")));
      default -> throw new InvalidInput("type must be webhook or pull-wake");
    };
  }

  private static Duration lease(JsonFields in) {
    Duration lease =
        in.findNumber("lease_ttl_ms")
            .map(Duration::ofMillis)
            .orElse(SubscriptionConfig.DEFAULT_LEASE);
    if (lease.compareTo(SubscriptionConfig.MIN_LEASE) < 0
        || lease.compareTo(SubscriptionConfig.MAX_LEASE) > 0) {
      throw new InvalidInput(
          "lease_ttl_ms must be from %d to %d"
              .formatted(
                  SubscriptionConfig.MIN_LEASE.toMillis(),
                  SubscriptionConfig.MAX_LEASE.toMillis()));
    }
    return lease;
  }

  private static Optional<String> description(JsonFields in) {
    Optional<String> description = in.findText("description");
    if (description.filter(d -> d.length() > SubscriptionConfig.MAX_DESCRIPTION).isPresent()) {
      throw new InvalidInput(
          "description has at most %d characters".formatted(SubscriptionConfig.MAX_DESCRIPTION));
    }
    return description;
  }

  static List<StreamPath> streams(byte[] body) {
    List<StreamPath> streams = paths(fields(body));
    if (streams.isEmpty()) {
      throw new InvalidInput("streams must name at least one stream");
    }
    return streams;
  }

  static String worker(byte[] body) {
    String worker = fields(body).text("worker");
    if (worker.isEmpty() || worker.length() > MAX_WORKER || !PrintableText.isSafe(worker)) {
      throw new InvalidInput("worker must have 1 to %d printable characters".formatted(MAX_WORKER));
    }
    return worker;
  }

  static HolderRequest held(byte[] body) {
    JsonFields in = fields(body);
    return new HolderRequest(
        in.text("wake_id"),
        in.number("generation"),
        in.list("acks").stream().map(SubscriptionRequests::ack).toList(),
        in.flag("done"));
  }

  private static SubscriptionAck ack(JsonValue value) {
    JsonFields in = JsonFields.of(value, "each of acks");
    String path = in.findText("stream").orElseGet(() -> in.text("path"));
    return new SubscriptionAck(StreamPaths.parse(path), offset(in.text("offset")));
  }

  /**
   * Empty: not an offset. It is refused only after everything else was checked, with a separate
   * code.
   */
  private static Optional<Offset> offset(String text) {
    try {
      return Optional.of(Offset.parse(text));
    } catch (InvalidInput e) {
      return Optional.empty();
    }
  }
}

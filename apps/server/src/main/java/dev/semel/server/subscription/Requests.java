package dev.semel.server.subscription;

import dev.semel.InvalidInput;
import dev.semel.PrintableText;
import dev.semel.json.Json;
import dev.semel.json.JsonValue;
import dev.semel.stream.Offset;
import dev.semel.stream.StreamPath;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Reads the bodies of requests. */
final class Requests {
  /** Longest name of a worker, in characters. */
  static final int MAX_WORKER = 256;

  private Requests() {}

  private static Fields fields(byte[] body) {
    return Fields.of(
        Json.parse(body.length == 0 ? "{}".getBytes(StandardCharsets.UTF_8) : body),
        "the request's body");
  }

  static Config config(byte[] body) {
    Fields in = fields(body);
    Optional<Glob> pattern = in.findText("pattern").filter(p -> !p.isEmpty()).map(Glob::parse);
    List<StreamPath> streams = paths(in);
    if (pattern.isEmpty() && streams.isEmpty()) {
      throw new InvalidInput("neither pattern nor streams is given: say what to follow");
    }
    Config config = new Config(pattern, streams, delivery(in), lease(in), description(in));
    if (streams.stream().anyMatch(config::isWakeStream)) {
      throw new InvalidInput("a subscription can't follow its own wake_stream: leave it out");
    }
    return config;
  }

  private static List<StreamPath> paths(Fields in) {
    return in.list("streams").stream().map(v -> Paths.parse(Fields.text(v, "streams"))).toList();
  }

  private static Delivery delivery(Fields in) {
    return switch (in.text("type")) {
      case "webhook" ->
          new Delivery.Webhook(
              in.findObject("webhook")
                  .flatMap(w -> w.findText("url"))
                  .filter(url -> !url.isEmpty())
                  .orElseThrow(() -> new InvalidInput("a webhook needs webhook.url")));
      case "pull-wake" ->
          new Delivery.PullWake(
              in.findText("wake_stream")
                  .filter(path -> !path.isEmpty())
                  .map(Paths::parse)
                  .orElseThrow(() -> new InvalidInput("a pull-wake needs wake_stream")));
      default -> throw new InvalidInput("type must be webhook or pull-wake");
    };
  }

  private static Duration lease(Fields in) {
    Duration lease =
        in.findNumber("lease_ttl_ms").map(Duration::ofMillis).orElse(Config.DEFAULT_LEASE);
    if (lease.compareTo(Config.MIN_LEASE) < 0 || lease.compareTo(Config.MAX_LEASE) > 0) {
      throw new InvalidInput(
          "lease_ttl_ms must be from %d to %d"
              .formatted(Config.MIN_LEASE.toMillis(), Config.MAX_LEASE.toMillis()));
    }
    return lease;
  }

  private static Optional<String> description(Fields in) {
    Optional<String> description = in.findText("description");
    if (description.filter(d -> d.length() > Config.MAX_DESCRIPTION).isPresent()) {
      throw new InvalidInput(
          "description has at most %d characters".formatted(Config.MAX_DESCRIPTION));
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

  static Held held(byte[] body) {
    Fields in = fields(body);
    return new Held(
        in.text("wake_id"),
        in.number("generation"),
        in.list("acks").stream().map(Requests::ack).toList(),
        in.flag("done"));
  }

  private static Ack ack(JsonValue value) {
    Fields in = Fields.of(value, "each of acks");
    String path = in.findText("stream").orElseGet(() -> in.text("path"));
    return new Ack(Paths.parse(path), offset(in.text("offset")));
  }

  /** One that can't be is refused only when the rest is right: it has an answer of its own. */
  private static Optional<Offset> offset(String text) {
    try {
      return Optional.of(Offset.parse(text));
    } catch (InvalidInput e) {
      return Optional.empty();
    }
  }
}

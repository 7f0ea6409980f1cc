package dev.semel.cli.streams;

import dev.semel.cli.ByteSizes;
import dev.semel.internal.DurationText;
import dev.semel.internal.PrintableText;
import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import dev.semel.stream.spi.StreamExpiry;
import dev.semel.stream.spi.StreamHead;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Renders a stream. */
record StreamView(StreamHead head) {
  static final String[] HEADINGS = {"PATH", "TYPE", "SIZE", "STATE", "TAIL"};

  List<String> cells() {
    return List.of(path(), type(), ByteSizes.text(bytes()), state(), head.tail().text());
  }

  String path() {
    return PrintableText.safe(head.path().text());
  }

  String type() {
    return head.config().type().text();
  }

  /** Readable bytes, including those that a fork shares with its source. */
  long bytes() {
    return head.tail().position() - head.start().position();
  }

  String state() {
    return head.closed() ? "closed" : "open";
  }

  String expiry() {
    return switch (head.config().expiry()) {
      case StreamExpiry.Never n -> "never";
      case StreamExpiry.Idle i -> "after %s without use".formatted(DurationText.brief(idle(i)));
      case StreamExpiry.At a -> "at " + Instant.ofEpochMilli(a.epochMillis());
    };
  }

  private static Duration idle(StreamExpiry.Idle i) {
    return Duration.ofSeconds(i.seconds());
  }

  String plain() {
    return String.join("\t", path(), type(), Long.toString(bytes()), state(), head.tail().text());
  }

  JsonObjectBuilder json() {
    JsonObjectBuilder members =
        Json.object()
            .with("path", head.path().text())
            .with("content_type", type())
            .with("start", head.start().text())
            .with("tail", head.tail().text())
            .with("bytes", bytes())
            .with("closed", head.closed());
    switch (head.config().expiry()) {
      case StreamExpiry.Never n -> {}
      case StreamExpiry.Idle i -> members.with("ttl_seconds", i.seconds());
      case StreamExpiry.At a ->
          members.with("expires_at", Instant.ofEpochMilli(a.epochMillis()).toString());
    }
    head.config().fork().ifPresent(f -> members.with("forked_from", f.source().text()));
    return members;
  }
}

package dev.semel.stream.client;

import dev.semel.InvalidInput;
import dev.semel.json.Json;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonArray;
import dev.semel.json.JsonValue.JsonBoolean;
import dev.semel.json.JsonValue.JsonNumber;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.json.JsonValue.JsonString;
import dev.semel.stream.ContentType;
import dev.semel.stream.Offset;
import dev.semel.stream.StreamPath;
import dev.semel.stream.client.internal.HttpReply;
import dev.semel.stream.spi.StreamConfig;
import dev.semel.stream.spi.StreamExpiry;
import dev.semel.stream.spi.StreamFork;
import dev.semel.stream.spi.StreamHead;
import dev.semel.stream.spi.StreamResult;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Parses the JSON answers of the server's own API. An unexpected document is {@link InvalidInput}.
 */
final class HttpDocuments {
  private HttpDocuments() {}

  /**
   * One page of a listing of streams.
   *
   * @param next where the next page begins; empty when this is the last
   */
  record Page(List<StreamHead> heads, Optional<String> next) {}

  static Page page(HttpReply reply) {
    JsonObject document = document(reply);
    return new Page(
        items(document, "streams").stream().map(HttpDocuments::head).toList(),
        document.get("next").map(HttpDocuments::text));
  }

  private static StreamHead head(JsonValue value) {
    JsonObject stream = object(value);
    StreamExpiry expiry =
        StreamExpiry.parse(
            either(stream, "ttl_seconds", "ttlSeconds").map(v -> Long.toString(number(v))),
            either(stream, "expires_at", "expiresAt").map(HttpDocuments::text));
    Optional<StreamFork> fork =
        either(stream, "forked_from", "forkedFrom")
            .map(v -> new StreamFork(new StreamPath(text(v)), Optional.empty(), 0));
    JsonValue type = stream.get("content_type").orElseGet(() -> member(stream, "contentType"));
    return new StreamHead(
        new StreamPath(text(member(stream, "path"))),
        new StreamConfig(ContentType.parse(text(type)), expiry, fork),
        HttpStreams.UNKNOWN_INCARNATION,
        Offset.parse(text(member(stream, "start"))),
        Offset.parse(text(member(stream, "tail"))),
        truth(member(stream, "closed")));
  }

  static List<StreamResult.Producer> producers(HttpReply reply) {
    return items(document(reply), "producers").stream().map(HttpDocuments::producer).toList();
  }

  private static StreamResult.Producer producer(JsonValue value) {
    JsonObject producer = object(value);
    Optional<JsonValue> lastSeq = either(producer, "last_seq", "lastSeq");
    JsonValue lastUsed = producer.get("last_used").orElseGet(() -> member(producer, "lastUsed"));
    return new StreamResult.Producer(
        text(member(producer, "id")),
        truth(member(producer, "managed")),
        number(member(producer, "epoch")),
        lastSeq.isPresent() ? OptionalLong.of(number(lastSeq.get())) : OptionalLong.empty(),
        time(text(lastUsed)));
  }

  /** Older servers have only the second spelling. */
  private static Optional<JsonValue> either(JsonObject of, String name, String before) {
    return of.get(name).or(() -> of.get(before));
  }

  static boolean fenced(HttpReply reply) {
    return truth(member(document(reply), "fenced"));
  }

  private static JsonObject document(HttpReply reply) {
    if (reply.status() != 200) {
      throw HttpAnswers.strange(reply);
    }
    return object(Json.parse(reply.body()));
  }

  private static JsonObject object(JsonValue value) {
    if (value instanceof JsonObject o) {
      return o;
    }
    throw new InvalidInput("no object");
  }

  private static List<JsonValue> items(JsonObject document, String name) {
    if (member(document, name) instanceof JsonArray a) {
      return a.items();
    }
    throw new InvalidInput("no array " + name);
  }

  private static JsonValue member(JsonObject object, String name) {
    return object.get(name).orElseThrow(() -> new InvalidInput("no member " + name));
  }

  private static String text(JsonValue value) {
    if (value instanceof JsonString s) {
      return s.text();
    }
    throw new InvalidInput("no text");
  }

  private static boolean truth(JsonValue value) {
    return value.equals(new JsonBoolean(true));
  }

  private static long number(JsonValue value) {
    try {
      if (value instanceof JsonNumber n) {
        return n.value().longValueExact();
      }
    } catch (ArithmeticException e) {
      // reported below
    }
    throw new InvalidInput("no whole number");
  }

  private static long time(String text) {
    try {
      return Instant.parse(text).toEpochMilli();
    } catch (DateTimeParseException e) {
      throw new InvalidInput("no time");
    }
  }
}

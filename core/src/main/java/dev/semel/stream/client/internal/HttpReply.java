package dev.semel.stream.client.internal;

import dev.semel.InvalidInput;
import dev.semel.json.Json;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.json.JsonValue.JsonString;
import dev.semel.net.internal.RetryAfter;
import dev.semel.net.internal.ServerUrl;
import dev.semel.stream.ContentType;
import dev.semel.stream.Offset;
import dev.semel.stream.spi.StreamResult;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A server's answer, before its meaning is known. */
public final class HttpReply {
  private static final String PROBLEM_TYPE = "urn:semel:problem:";
  private static final Pattern LIMIT =
      Pattern.compile("limit of (?<max>\\d{1,18}) (?<limit>.{1,100}?)(?: is reached|:)");

  private final HttpResponse<?> response;
  private final byte[] body;

  public HttpReply(HttpResponse<?> response, byte[] body) {
    this.response = response;
    this.body = body;
  }

  /** The server's address, for people. */
  public String address() {
    return ServerUrl.text(response.request().uri());
  }

  /** Whether the request had this header. */
  public boolean sent(String name) {
    return response.request().headers().firstValue(name).isPresent();
  }

  public boolean hadToken() {
    return sent("Authorization");
  }

  /** Whether the producer of the request was fenced. */
  public boolean fenced() {
    return header("Producer-Epoch").or(() -> header("X-Current-Epoch")).isPresent();
  }

  public int status() {
    return response.statusCode();
  }

  public byte[] body() {
    return body;
  }

  public Optional<String> header(String name) {
    return response.headers().firstValue(name);
  }

  /** How long the server asks to wait; zero where it does not ask. */
  public Duration retryAfter() {
    return RetryAfter.of(response.headers(), Instant.now());
  }

  public boolean isTrue(String name) {
    return header(name).map(value -> value.equalsIgnoreCase("true")).orElse(false);
  }

  /**
   * The offset in the header that a server of the protocol must send; throws when it is missing.
   */
  public Offset nextOffset() {
    return Offset.parse(header("Stream-Next-Offset").orElse(""));
  }

  public ContentType type() {
    return header("Content-Type").map(ContentType::parse).orElse(ContentType.BYTES);
  }

  public boolean ok() {
    return status() >= 200 && status() < 300;
  }

  /** The kind of refusal; empty when the server does not say. */
  public String problem() {
    String type = member("type");
    return type.startsWith(PROBLEM_TYPE) ? type.substring(PROBLEM_TYPE.length()) : "";
  }

  /** Whether a busy server says so in its answer: then it has written nothing. */
  public boolean nothingHappened() {
    return problem().equals("busy") || problem().equals("held-bytes");
  }

  /** The server's explanation, for people. */
  public String detail() {
    String detail = member("detail");
    return detail.isEmpty() ? "the server answered with status " + status() : detail;
  }

  /** The limit that the detail names, or 0 where it names none. */
  public StreamResult.Full limit() {
    Matcher m = LIMIT.matcher(detail());
    return m.find()
        ? new StreamResult.Full(m.group("limit"), Long.parseLong(m.group("max")))
        : new StreamResult.Full("requests", 0);
  }

  private String member(String name) {
    return document().flatMap(d -> d.get(name)).orElse(null) instanceof JsonString s
        ? s.text()
        : "";
  }

  private Optional<JsonObject> document() {
    if (!header("Content-Type").orElse("").startsWith("application/problem+json")) {
      return Optional.empty();
    }
    try {
      return Json.parse(body()) instanceof JsonObject o ? Optional.of(o) : Optional.empty();
    } catch (InvalidInput e) {
      return Optional.empty();
    }
  }
}

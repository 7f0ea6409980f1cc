package dev.semel.stream.client;

import dev.semel.InvalidInput;
import dev.semel.json.Json;
import dev.semel.json.JsonValue.JsonBoolean;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.json.JsonValue.JsonString;
import dev.semel.net.internal.ServerUrl;
import dev.semel.stream.client.internal.HttpReply;
import dev.semel.stream.client.internal.SseDecoder;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * Reads server-sent events, one connection after the other. Data counts once the control event with
 * its end offset has come; data before a break comes again on the next connection.
 */
final class EventSource implements ChunkSource {
  /** Servers end connections about once a minute: one that is silent for longer is dead. */
  static final Duration LONGEST_SILENCE = Duration.ofMinutes(2);

  /** An open connection. */
  private record Connection(
      PendingExchange exchange,
      BodyInflow body,
      SseDecoder decoder,
      boolean json,
      boolean base64) {}

  private final CancelHandle line;
  private final DurableStream stream;
  private final int maxBytes;
  private Optional<Connection> connection = Optional.empty();

  EventSource(CancelHandle line, DurableStream stream, int maxBytes) {
    this.line = line;
    this.stream = stream;
    this.maxBytes = maxBytes;
  }

  @Override
  public StreamChunk next(StreamMark from) throws InterruptedException {
    boolean whole = false;
    try {
      if (connection.isEmpty()) {
        connection = Optional.of(connect(from));
      }
      StreamChunk chunk = read(connection.get(), from);
      whole = !chunk.closed();
      return chunk;
    } finally {
      if (!whole) {
        connection = Optional.empty();
        line.drop();
      }
    }
  }

  private Connection connect(StreamMark from) throws InterruptedException {
    boolean json = json();
    String cursor = from.cursor().isEmpty() ? "" : "&cursor=" + ServerUrl.encode(from.cursor());
    PendingExchange exchange =
        line.begin(
            line.calls()
                .request("offset=" + ServerUrl.encode(from.offset()) + "&live=sse" + cursor)
                .header("Accept", "text/event-stream")
                .GET());
    HttpResponse<BodyInflow> head = exchange.head(line.calls().timeout());
    if (head.statusCode() != 200) {
      throw TransientRefusal.orFinal(exchange.whole(line.calls().timeout(), maxBytes));
    }
    if (!head.headers().firstValue("Content-Type").orElse("").startsWith("text/event-stream")) {
      throw new StreamGarbled(
          "%s does not send events: use long polling".formatted(exchange.address()));
    }
    boolean base64 =
        head.headers()
            .firstValue("Stream-SSE-Data-Encoding")
            .map(encoding -> encoding.equalsIgnoreCase("base64"))
            .orElse(false);
    return new Connection(exchange, head.body(), new SseDecoder(maxBytes), json, base64);
  }

  /** Events don't name the content type, so it must be known before. */
  private boolean json() throws InterruptedException {
    if (stream.known().isEmpty()) {
      HttpReply reply =
          line.begin(line.calls().request("").HEAD()).whole(line.calls().timeout(), maxBytes);
      if (!reply.ok()) {
        throw TransientRefusal.orFinal(reply);
      }
      stream.learn(reply.type());
    }
    return stream.known().orElseThrow().json();
  }

  private StreamChunk read(Connection from, StreamMark before) throws InterruptedException {
    List<byte[]> pieces = new ArrayList<>();
    long size = 0;
    try {
      while (true) {
        SseDecoder.Event event = event(from);
        if (event.name().equals("control")) {
          return StreamChunk.of(from.json(), pieces, mark(event.data(), before));
        }
        if (event.name().equals("data")) {
          byte[] piece = from.base64() ? decoded(event.data()) : event.data();
          pieces.add(piece);
          size += piece.length;
        }
        if (size > maxBytes) {
          throw from.exchange().tooMuch(maxBytes);
        }
      }
    } catch (InvalidInput e) {
      throw new StreamGarbled(
          "what %s sent behind offset %s can't be read: %s"
              .formatted(from.exchange().address(), before.offset(), e.getMessage()));
    }
  }

  private static SseDecoder.Event event(Connection from) throws InterruptedException {
    while (true) {
      Optional<SseDecoder.Event> ready = from.decoder().poll();
      if (ready.isPresent()) {
        return ready.get();
      }
      switch (from.body().take(LONGEST_SILENCE)) {
        case BodyInflow.Piece.Data data -> {
          for (ByteBuffer buffer : data.buffers()) {
            from.decoder().feed(buffer);
          }
        }
        case BodyInflow.Piece.Broken broken -> throw from.exchange().failed(broken.why());
        case BodyInflow.Piece.End end -> throw from.exchange().ended();
      }
    }
  }

  private static byte[] decoded(byte[] base64) {
    String text = new String(base64, StandardCharsets.ISO_8859_1).replaceAll("[\r\n]", "");
    try {
      return Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      throw new InvalidInput("it is no base64");
    }
  }

  private static StreamMark mark(byte[] control, StreamMark before) {
    if (!(Json.parse(control) instanceof JsonObject fields)
        || !(fields.get("streamNextOffset").orElse(null) instanceof JsonString offset)) {
      throw new InvalidInput("a control event does not say streamNextOffset");
    }
    boolean closed = isTrue(fields, "streamClosed");
    String cursor =
        fields.get("streamCursor").orElse(null) instanceof JsonString c
            ? c.text()
            : before.cursor();
    return new StreamMark(offset.text(), cursor, closed || isTrue(fields, "upToDate"), closed);
  }

  private static boolean isTrue(JsonObject fields, String name) {
    return fields.get(name).orElse(null) instanceof JsonBoolean b && b.value();
  }
}

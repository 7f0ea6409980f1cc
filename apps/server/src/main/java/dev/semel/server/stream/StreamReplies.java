package dev.semel.server.stream;

import dev.semel.internal.PrintableText;
import dev.semel.server.http.HeaderNames;
import dev.semel.server.http.ProblemDocument;
import dev.semel.server.http.RequestAuthority;
import dev.semel.stream.spi.StreamConfig;
import dev.semel.stream.spi.StreamExpiry;
import dev.semel.stream.spi.StreamHead;
import dev.semel.stream.spi.StreamResult;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.net.HostAndPort;
import java.time.Instant;

/** Turns answers about whole streams into statuses and headers. */
final class StreamReplies {
  static final ProblemDocument MISSING =
      ProblemDocument.of(404, "no-such-stream", "there is no stream here: create it with PUT");

  static final ProblemDocument GONE =
      ProblemDocument.of(
          410, "gone", "the stream was deleted or has expired; only its forks remain");

  private StreamReplies() {}

  static ProblemDocument full(StreamResult.Full f) {
    return ProblemDocument.of(
        507,
        "limit-reached",
        "the limit of %d %s is reached: nothing was written".formatted(f.max(), f.limit()));
  }

  /** Unlike after other failures nothing happened, so the caller may just try again. */
  static void busy(HttpServerRequest request, StreamResult.Busy b) {
    request.response().putHeader(HeaderNames.RETRY_AFTER, "1");
    ProblemDocument.of(
            429,
            "busy",
            "the limit of %d %s is reached: nothing was written, try again soon"
                .formatted(b.max(), b.limit()))
        .send(request);
  }

  static void created(HttpServerRequest request, StreamResult.ToCreate answer) {
    switch (answer) {
      case StreamResult.Created c -> {
        HostAndPort authority = request.authority();
        if (authority != null) {
          String address = RequestAuthority.scheme(request) + "://" + authority + request.path();
          request.response().putHeader(HeaderNames.LOCATION, address);
        }
        config(request.response().setStatusCode(201), c.head()).end();
      }
      case StreamResult.Existed e -> config(request.response().setStatusCode(200), e.head()).end();
      case StreamResult.Conflict c ->
          ProblemDocument.of(409, PrintableText.word(c.reason()), why(c.reason())).send(request);
      case StreamResult.SourceMissing s ->
          ProblemDocument.of(
                  404, "no-such-source", "there is no stream to fork from: name one that is there")
              .send(request);
      case StreamResult.Malformed m -> ProblemDocument.malformed(m.message()).send(request);
      case StreamResult.TooLarge t -> RequestBodies.tooLarge(t.max()).send(request);
      case StreamResult.Full f -> full(f).send(request);
      case StreamResult.Busy b -> busy(request, b);
      case StreamResult.NoRoom n -> CallFailures.NO_ROOM.send(request);
    }
  }

  private static String why(StreamResult.Conflict.Reason reason) {
    return switch (reason) {
      case OTHER_CONFIGURATION ->
          "the stream is there with another type, expiry, closure or fork: delete it or use another path";
      case PATH_HELD_FOR_FORKS ->
          "the path is held by a deleted stream whose forks still live: use another path";
      case SOURCE_GONE -> "the stream to fork from was deleted or has expired: fork another";
      case OTHER_TYPE_THAN_SOURCE ->
          "the stream to fork from holds another content type: leave Content-Type out";
    };
  }

  private static HttpServerResponse config(HttpServerResponse response, StreamHead head) {
    response
        .putHeader(HeaderNames.CONTENT_TYPE, head.config().type().text())
        .putHeader(HeaderNames.STREAM_NEXT_OFFSET, head.tail().text());
    if (head.closed()) {
      response.putHeader(HeaderNames.STREAM_CLOSED, HeaderNames.TRUE);
    }
    return response;
  }

  static void head(HttpServerRequest request, StreamResult.ToHead answer) {
    switch (answer) {
      case StreamResult.Found f -> {
        HttpServerResponse response = config(request.response(), f.head());
        response.putHeader(HeaderNames.CACHE_CONTROL, HeaderNames.NO_STORE);
        BrowserRules.disposition(response, f.head().config().type());
        expiry(response, f.head().config());
        response.end();
      }
      case StreamResult.Missing m -> MISSING.send(request);
      case StreamResult.Gone g -> GONE.send(request);
    }
  }

  private static void expiry(HttpServerResponse response, StreamConfig config) {
    switch (config.expiry()) {
      case StreamExpiry.Never n -> {}
      case StreamExpiry.Idle i ->
          response.putHeader(HeaderNames.STREAM_TTL, Long.toString(i.seconds()));
      case StreamExpiry.At a ->
          response.putHeader(
              HeaderNames.STREAM_EXPIRES_AT, Instant.ofEpochMilli(a.epochMillis()).toString());
    }
  }

  static void deleted(HttpServerRequest request, StreamResult.ToDelete answer) {
    switch (answer) {
      case StreamResult.Deleted d -> request.response().setStatusCode(204).end();
      case StreamResult.Missing m -> MISSING.send(request);
      case StreamResult.Gone g -> GONE.send(request);
    }
  }
}

package dev.semel.server.stream;

import dev.semel.PrintableText;
import dev.semel.server.http.Authority;
import dev.semel.server.http.Names;
import dev.semel.server.http.Problem;
import dev.semel.stream.Answer;
import dev.semel.stream.Expiry;
import dev.semel.stream.Head;
import dev.semel.stream.StreamConfig;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.net.HostAndPort;
import java.time.Instant;

/** From answers about whole streams to statuses and headers. */
final class StreamReplies {
  static final Problem MISSING =
      Problem.of(404, "no-such-stream", "there is no stream here: create it with PUT");

  static final Problem GONE =
      Problem.of(410, "gone", "the stream was deleted or has expired; only its forks remain");

  private StreamReplies() {}

  static Problem full(Answer.Full f) {
    return Problem.of(
        507,
        "limit-reached",
        "the limit of %d %s is reached: nothing was written".formatted(f.max(), f.limit()));
  }

  /** Unlike other failures nothing happened: whoever gets this may just try again. */
  static void busy(HttpServerRequest request, Answer.Busy b) {
    request.response().putHeader(Names.RETRY_AFTER, "1");
    Problem.of(
            429,
            "busy",
            "the limit of %d %s is reached: nothing was written, try again soon"
                .formatted(b.max(), b.limit()))
        .send(request);
  }

  static void created(HttpServerRequest request, Answer.ToCreate answer) {
    switch (answer) {
      case Answer.Created c -> {
        HostAndPort authority = request.authority();
        if (authority != null) {
          String address = Authority.scheme(request) + "://" + authority + request.path();
          request.response().putHeader(Names.LOCATION, address);
        }
        config(request.response().setStatusCode(201), c.head()).end();
      }
      case Answer.Existed e -> config(request.response().setStatusCode(200), e.head()).end();
      case Answer.Conflict c ->
          Problem.of(409, PrintableText.word(c.reason()), why(c.reason())).send(request);
      case Answer.SourceMissing s ->
          Problem.of(
                  404, "no-such-source", "there is no stream to fork from: name one that is there")
              .send(request);
      case Answer.Malformed m -> Problem.malformed(m.message()).send(request);
      case Answer.TooLarge t -> Bodies.tooLarge(t.max()).send(request);
      case Answer.Full f -> full(f).send(request);
      case Answer.Busy b -> busy(request, b);
      case Answer.NoRoom n -> Failures.NO_ROOM.send(request);
    }
  }

  private static String why(Answer.Conflict.Reason reason) {
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

  private static HttpServerResponse config(HttpServerResponse response, Head head) {
    response
        .putHeader(Names.CONTENT_TYPE, head.config().type().text())
        .putHeader(Names.STREAM_NEXT_OFFSET, head.tail().text());
    if (head.closed()) {
      response.putHeader(Names.STREAM_CLOSED, Names.TRUE);
    }
    return response;
  }

  static void head(HttpServerRequest request, Answer.ToHead answer) {
    switch (answer) {
      case Answer.Found f -> {
        HttpServerResponse response = config(request.response(), f.head());
        response.putHeader(Names.CACHE_CONTROL, Names.NO_STORE);
        BrowserRules.disposition(response, f.head().config().type());
        expiry(response, f.head().config());
        response.end();
      }
      case Answer.Missing m -> MISSING.send(request);
      case Answer.Gone g -> GONE.send(request);
    }
  }

  private static void expiry(HttpServerResponse response, StreamConfig config) {
    switch (config.expiry()) {
      case Expiry.Never n -> {}
      case Expiry.Idle i -> response.putHeader(Names.STREAM_TTL, Long.toString(i.seconds()));
      case Expiry.At a ->
          response.putHeader(
              Names.STREAM_EXPIRES_AT, Instant.ofEpochMilli(a.epochMillis()).toString());
    }
  }

  static void deleted(HttpServerRequest request, Answer.ToDelete answer) {
    switch (answer) {
      case Answer.Deleted d -> request.response().setStatusCode(204).end();
      case Answer.Missing m -> MISSING.send(request);
      case Answer.Gone g -> GONE.send(request);
    }
  }
}

package dev.semel.server.gateway;

import dev.semel.http.HttpHeader;
import dev.semel.http.spi.HttpAnswer;
import dev.semel.server.http.ConnectionEnding;
import dev.semel.server.http.HeaderFields;
import dev.semel.server.http.HeaderNames;
import dev.semel.server.http.MemoryBudget;
import dev.semel.server.http.PacedResponse;
import dev.semel.server.http.ProblemDocument;
import io.vertx.core.Context;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import java.util.List;
import java.util.Objects;

/** Sends answers, on the request's event loop. */
final class GatewayReplies {
  /** Limit of a body's rest that is read and dropped, so that the connection can be used again. */
  private static final long DROPPED_BYTES = 64 << 10;

  private static final ProblemDocument BROKEN =
      ProblemDocument.malformed(
          "the body is not what its headers say: send whole chunks, and all of them");

  private GatewayReplies() {}

  /** Answers a request whose body may not have been read. */
  static void refuse(HttpServerRequest request, ProblemDocument problem) {
    dropBody(request);
    problem.send(request);
  }

  static void refuse(HttpServerRequest request, HttpAnswer answer) {
    dropBody(request);
    send(request, answer);
  }

  private static void dropBody(HttpServerRequest request) {
    if (request.isEnded()) {
      return;
    }
    request.handler(dropped -> {});
    request.resume();
    long length = HeaderFields.length(request.headers());
    boolean chunked = request.headers().contains(HeaderNames.TRANSFER_ENCODING);
    boolean waits = request.headers().contains(HeaderNames.EXPECT);
    if (chunked || length > DROPPED_BYTES || (waits && length != 0)) {
      closeSoon(request);
    }
  }

  /** Ends the connection a moment after the answer, whatever the caller still sends. */
  static void closeSoon(HttpServerRequest request) {
    ConnectionEnding.soon(loop().owner(), request);
  }

  /**
   * Answers a request whose body can't be read, if its caller is still there. The server then
   * closes the connection, because it does not know where the next request begins.
   */
  static void broken(HttpServerRequest request) {
    if (!request.response().closed() && !request.response().headWritten()) {
      ConnectionEnding.announce(request);
      BROKEN.send(request);
    }
  }

  /** The current event loop. */
  static Context loop() {
    return Objects.requireNonNull(Vertx.currentContext());
  }

  /** Sends an answer that did not just come from the upstream, such as a replay. */
  static void send(HttpServerRequest request, HttpAnswer answer) {
    HttpServerResponse response = request.response();
    if (response.closed() || response.ended()) {
      return;
    }
    head(request, answer.response().status(), answer.response().headers(), answer.added());
    end(request, Buffer.buffer(answer.response().body()));
  }

  static void head(
      HttpServerRequest request, int status, List<HttpHeader> headers, List<HttpHeader> added) {
    HttpServerResponse response = request.response();
    if (response.closed() || response.ended()) {
      return;
    }
    response.setStatusCode(status);
    headers.forEach(h -> response.headers().add(h.name(), h.value()));
    set(response, added);
  }

  /** Sends a long answer as fast as its caller takes it. */
  static void pieces(MemoryBudget budget, HttpServerRequest request, SentAnswers.Sent sent) {
    if (request.response().closed() || request.response().ended()) {
      sent.letGo();
    } else if (request.method().equals(HttpMethod.HEAD)) {
      sent.letGo();
      request.response().end();
    } else {
      byte[] bytes = sent.bytes();
      PacedResponse.pieces(
          budget,
          request,
          bytes.length,
          (from, to) -> Buffer.buffer(to - from).appendBytes(bytes, from, to - from),
          sent::letGo);
    }
  }

  static void set(HttpServerResponse response, List<HttpHeader> added) {
    added.forEach(header -> response.headers().set(header.name(), header.value()));
  }

  static void problem(HttpServerRequest request, ProblemDocument problem, List<HttpHeader> added) {
    if (!request.response().closed() && !request.response().headWritten()) {
      set(request.response(), added);
    }
    problem.send(request);
  }

  static void end(HttpServerRequest request, Buffer body) {
    if (body.length() == 0 || request.method().equals(HttpMethod.HEAD)) {
      request.response().end();
    } else {
      request.response().end(body);
    }
  }

  /** Sends the head of an answer whose body follows in pieces. */
  static void head(HttpServerRequest request, int status, MultiMap headers) {
    HttpServerResponse response = request.response();
    response.setStatusCode(status);
    response.headers().addAll(headers);
    if (!headers.contains(HeaderNames.CONTENT_LENGTH) && hasBody(request, status)) {
      if (request.version() == HttpVersion.HTTP_1_0) {
        ConnectionEnding.announce(request); // the connection's end marks the end of the answer
      } else {
        response.setChunked(true);
      }
    }
  }

  private static boolean hasBody(HttpServerRequest request, int status) {
    return !request.method().equals(HttpMethod.HEAD) && status != 204 && status != 304;
  }
}

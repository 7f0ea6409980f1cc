package dev.semel.server.gateway;

import dev.semel.server.http.ConnectionEnding;
import dev.semel.server.http.HeaderFields;
import dev.semel.server.http.HeaderNames;
import dev.semel.server.http.ProblemDocument;
import dev.semel.server.http.RequestTarget;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Forwards requests that are not guarded: piece by piece in both directions, at the pace of the
 * slower side.
 */
final class PassThrough {
  private final Vertx vertx;
  private final UpstreamClient service;
  private final HeaderRules heads;
  private final BiConsumer<HttpServerRequest, BooleanSupplier> excuses;

  /** For requests whose body was read already. */
  PassThrough(Vertx vertx, UpstreamClient service, HeaderRules heads) {
    this(vertx, service, heads, (request, excuse) -> {});
  }

  /**
   * For all requests.
   *
   * @param excuses gets each streamed request, with a check whether its body waits for the service
   */
  PassThrough(
      Vertx vertx,
      UpstreamClient service,
      HeaderRules heads,
      BiConsumer<HttpServerRequest, BooleanSupplier> excuses) {
    this.vertx = vertx;
    this.service = service;
    this.heads = heads;
    this.excuses = excuses;
  }

  void stream(HttpServerRequest request, RequestTarget target) {
    request.pause(); // until the upstream is connected
    Passage passage = new Passage(request, Optional.empty());
    excuses.accept(request, passage::waits);
    passage.start(target);
  }

  /** Forwards a request whose body was read already. */
  void send(HttpServerRequest request, RequestTarget target, Buffer body) {
    new Passage(request, Optional.of(body)).start(target);
  }

  /** The request's address for the upstream, without scheme and host. */
  static String uri(HttpServerRequest request, RequestTarget target) {
    String uri = request.uri();
    if (uri.startsWith("/") || uri.equals("*")) {
      return uri;
    }
    return target.query().isEmpty() ? target.path() : target.path() + "?" + target.query();
  }

  private final class Passage {
    private final HttpServerRequest request;
    private final Optional<Buffer> read;
    private @Nullable HttpClientRequest call;
    private boolean gone;
    private boolean sent;
    private boolean answered;
    private boolean finished;
    private long timer = -1;

    Passage(HttpServerRequest request, Optional<Buffer> read) {
      this.request = request;
      this.read = read;
    }

    void start(RequestTarget target) {
      request.response().closeHandler(v -> callerLeft());
      request
          .response()
          .exceptionHandler(
              e -> {
                callerLeft();
                GatewayReplies.broken(request);
              });
      MultiMap headers = heads.forUpstream(request);
      service
          .connect(request.method(), uri(request, target), headers)
          .onComplete(this::send, this::notSent);
    }

    /** Whether the body waits for the upstream. */
    boolean waits() {
      HttpClientRequest open = call;
      return open == null || open.writeQueueFull();
    }

    private void notSent(Throwable cause) {
      ProblemDocument problem = UpstreamErrors.notSent(cause);
      if (problem.status() == 503) {
        request.response().putHeader(HeaderNames.RETRY_AFTER, "1");
      }
      GatewayReplies.refuse(request, problem);
    }

    private void send(HttpClientRequest ready) {
      call = ready;
      if (gone) {
        ready.reset();
        return;
      }
      ready.response().onComplete(this::answered, this::failed);
      boolean chunked = request.headers().contains(HeaderNames.TRANSFER_ENCODING);
      if (read.isPresent()) {
        ready.end(read.get());
        wholeSent();
      } else if (ConnectionEnding.http2(request) && HeaderFields.length(request.headers()) < 0) {
        peek(ready);
      } else if (!chunked && HeaderFields.length(request.headers()) <= 0) {
        request.resume();
        ready.end();
        wholeSent();
      } else {
        ready.setChunked(chunked);
        if (request.headers().contains(HeaderNames.EXPECT)) {
          request.response().writeContinue();
        }
        pipe(ready);
      }
    }

    private void pipe(HttpClientRequest ready) {
      request
          .pipe()
          .endOnFailure(false)
          .to(ready)
          .onComplete(done -> wholeSent(), failure -> brokeOff());
    }

    /** HTTP/2 need not declare a body, so the first event decides: a piece or the end. */
    private void peek(HttpClientRequest ready) {
      if (request.headers().contains(HeaderNames.EXPECT)) {
        request.response().writeContinue();
      }
      request.exceptionHandler(e -> brokeOff());
      request.endHandler(
          v -> {
            ready.end();
            wholeSent();
          });
      request.handler(
          piece -> {
            request.endHandler(null);
            ready.setChunked(true);
            ready.write(piece);
            pipe(ready);
          });
      request.fetch(1);
    }

    /** Resets, unless the upstream has answered: it may refuse a body before it has read it. */
    private void brokeOff() {
      if (!answered) {
        reset();
      }
    }

    private void wholeSent() {
      sent = true;
      if (!answered && !request.response().headWritten()) {
        timer =
            vertx.setTimer(
                service.limits().timeout().toMillis(),
                t -> {
                  failed(new TimeoutException());
                  reset();
                });
      }
    }

    private void answered(HttpClientResponse response) {
      vertx.cancelTimer(timer);
      if (request.response().headWritten() || gone) {
        reset();
        return;
      }
      if (response.statusCode() < 200) { // a change of the protocol, which nobody requested
        failed(new IOException("answered " + response.statusCode()));
        reset();
        return;
      }
      answered = true;
      GatewayReplies.head(
          request, response.statusCode(), HeaderRules.forCaller(response.headers()));
      if (!sent) {
        ConnectionEnding.announce(request);
      }
      response
          .pipe()
          .endOnFailure(false)
          .to(request.response())
          .onComplete(done -> ended(response.request()), failure -> cut());
    }

    private void ended(HttpClientRequest call) {
      finished = true;
      service.ended(call);
      if (!sent) { // answered before the body was complete
        GatewayReplies.closeSoon(request);
        reset();
      }
    }

    /** Cuts the connection, because a partial answer must not look complete. */
    private void cut() {
      reset();
      ConnectionEnding.cut(request);
    }

    private void failed(Throwable cause) {
      vertx.cancelTimer(timer);
      if (!gone && !request.response().headWritten()) {
        GatewayReplies.refuse(request, UpstreamErrors.unknown(cause));
      }
    }

    /** On HTTP/2, Vert.x calls it after a complete answer too. */
    private void callerLeft() {
      if (finished) {
        return;
      }
      gone = true;
      vertx.cancelTimer(timer);
      reset();
    }

    private void reset() {
      HttpClientRequest open = call;
      if (open != null) {
        open.reset();
      }
    }
  }
}

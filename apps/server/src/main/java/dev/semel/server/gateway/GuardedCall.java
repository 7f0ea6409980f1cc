package dev.semel.server.gateway;

import dev.semel.http.HttpHeader;
import dev.semel.http.HttpRules;
import dev.semel.http.KeySource;
import dev.semel.http.spi.GuardedRequest;
import dev.semel.http.spi.HttpAnswer;
import dev.semel.http.spi.HttpResponse;
import dev.semel.idempotency.EffectUnknown;
import dev.semel.idempotency.Execution;
import dev.semel.server.http.ConnectionEnding;
import dev.semel.server.http.HeaderFields;
import dev.semel.server.http.MemoryBudget;
import dev.semel.server.http.PacedResponse;
import dev.semel.server.http.ProblemDocument;
import io.vertx.core.Context;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * One execution of a guarded request. {@link #run} blocks its thread; everything else happens on
 * the event loop of the caller's connection. If the caller hangs up, the answer is still recorded.
 */
final class GuardedCall {
  /** Nothing was sent to the upstream, so the key may be released. */
  static final class NotSent extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final transient ProblemDocument problem;

    NotSent(Throwable cause) {
      super("nothing was sent", cause, false, false);
      this.problem = UpstreamErrors.notSent(cause);
    }

    ProblemDocument problem() {
      return problem;
    }
  }

  /** Pause before it checks again for room. */
  private static final long ROOM_MILLIS = 20;

  private final Context loop;
  private final UpstreamClient service;
  private final GatewayCapacity capacity;
  private final HttpServerRequest request;
  private final GuardedRequest guarded;
  private final HttpRules rules;
  private final CompletableFuture<HttpResponse> done = new CompletableFuture<>();

  private String uri = "";
  private MultiMap head = MultiMap.caseInsensitiveMultiMap();
  private byte[] body = {};

  private @Nullable HttpClientRequest call;
  private @Nullable StreamedAnswer streamed;
  private boolean sent;
  private long timer = -1;
  private int maxResponseBytes;
  private int status;
  private MultiMap headers = MultiMap.caseInsensitiveMultiMap();
  private Buffer received = Buffer.buffer();
  private long counted;
  private boolean waiting;

  GuardedCall(
      Context loop,
      UpstreamClient service,
      GatewayCapacity capacity,
      HttpServerRequest request,
      GuardedRequest guarded,
      HttpRules rules) {
    this.loop = loop;
    this.service = service;
    this.capacity = capacity;
    this.request = request;
    this.guarded = guarded;
    this.rules = rules;
  }

  /** Sets the request to send. */
  GuardedCall to(String address, MultiMap headersToSend, byte[] bodyToSend) {
    this.uri = address;
    this.head = headersToSend;
    this.body = bodyToSend;
    return this;
  }

  /** Sends the request and waits for the answer. */
  HttpResponse run(Execution execution) {
    loop.runOnContext(v -> start(execution));
    try {
      return done.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw e;
    }
  }

  private void start(Execution execution) {
    timer = loop.owner().setTimer(service.limits().timeout().toMillis(), t -> timeIsUp());
    maxResponseBytes = execution.policy().maxResponseBytes();
    head.set(HeaderRules.EFFECT_KEY, execution.effectKey());
    head.set(HeaderRules.ATTEMPT, Integer.toString(execution.attempt()));
    if (rules.keySource() instanceof KeySource.Header header && !head.contains(header.name())) {
      head.set(header.name(), guarded.added().get(0).value()); // the key that the gateway made
    }
    service
        .connect(request.method(), uri, head)
        .onComplete(ready -> send(ready, execution), this::notSent);
  }

  private void notSent(Throwable cause) {
    end();
    done.completeExceptionally(new NotSent(cause));
  }

  private void send(HttpClientRequest ready, Execution execution) {
    boolean held = execution.attempt() == 0 || execution.held();
    if (done.isDone() || !held) {
      ready.reset();
      notSent(new TimeoutException());
      return;
    }
    call = ready;
    sent = true; // from here on, nobody can know what the upstream has seen
    ready.response().onComplete(this::answered, this::lost);
    ready.end(Buffer.buffer(body));
  }

  private void answered(HttpClientResponse response) {
    status = response.statusCode();
    if (status < 200) { // a change of the protocol, which nobody requested
      lost(new IOException("answered " + status));
      response.request().reset();
      return;
    }
    headers = HeaderRules.forCaller(response.headers());
    response.exceptionHandler(this::lost);
    response.handler(piece -> piece(response, piece));
    response.endHandler(
        v -> {
          service.ended(response.request());
          whole();
        });
    boolean events = HeaderRules.isStream(response.headers());
    if (events || HeaderFields.length(response.headers()) > maxResponseBytes) {
      pass(response, events);
    }
  }

  private void piece(HttpClientResponse response, Buffer piece) {
    StreamedAnswer passing = streamed;
    if (passing != null) {
      passing.piece(piece);
    } else if (done.isDone()) {
      return; // timed out: nothing would release the piece
    } else if (received.length() + (long) piece.length() > maxResponseBytes) {
      passing = pass(response, false);
      passing.piece(received);
      passing.piece(piece);
      over();
    } else {
      received.appendBuffer(piece);
      counted += piece.length();
      capacity.budget().add(piece.length());
      awaitRoom(response);
    }
  }

  /** Pauses the upstream's answer while the budget has no room for it. */
  private void awaitRoom(HttpClientResponse response) {
    if (!waiting && noRoom()) {
      waiting = true;
      response.pause();
      lookAgain(response);
    }
  }

  private boolean noRoom() {
    return capacity.budget().full() && !capacity.goesFirst(this);
  }

  private void lookAgain(HttpClientResponse response) {
    loop.owner()
        .setTimer(
            ROOM_MILLIS,
            t -> {
              if (!done.isDone() && noRoom()) {
                lookAgain(response);
              } else {
                waiting = false;
                response.resume();
              }
            });
  }

  /** Releases what was received. On the event loop. */
  void over() {
    capacity.budget().letGo(counted);
    counted = 0;
    received = Buffer.buffer();
    capacity.lets(this);
  }

  /** Streams an answer that is not recorded, so there is no reason to withhold it. */
  private StreamedAnswer pass(HttpClientResponse response, boolean atOnce) {
    end(); // no timeout: the caller may read slowly
    if (!request.response().closed()) {
      GatewayReplies.head(request, status, headers);
      // Without the header for the retention, because this answer is never replayed.
      GatewayReplies.set(request.response(), guarded.added().subList(0, 1));
    }
    StreamedAnswer passing = new StreamedAnswer(request.response(), response, atOnce);
    streamed = passing;
    return passing;
  }

  private void whole() {
    end();
    done.complete(
        streamed != null
            ? HttpResponse.notKept(status)
            : new HttpResponse(
                status, HeaderRules.kept(headers, rules.replayedHeaders()), received.getBytes()));
  }

  private void lost(Throwable cause) {
    end();
    done.completeExceptionally(
        new EffectUnknown("the upstream did not answer what was sent to it", cause));
  }

  private void timeIsUp() {
    HttpClientRequest open = call;
    if (!sent || open == null) {
      notSent(new TimeoutException());
    } else {
      lost(new TimeoutException());
      open.reset();
    }
  }

  private void end() {
    loop.owner().cancelTimer(timer);
  }

  /** Answers the caller, now that the answer is recorded. */
  void answer(HttpAnswer answer) {
    StreamedAnswer passing = streamed;
    boolean executed = answer.kind() == HttpAnswer.Kind.EXECUTED;
    if (passing != null) {
      if (executed) {
        passing.end();
      } else {
        ConnectionEnding.cut(request); // another answer has begun already
      }
    } else if (!executed) {
      over();
      GatewayReplies.send(request, answer);
    } else if (request.response().closed()) {
      over();
    } else {
      HttpServerResponse response = request.response();
      response.setStatusCode(status);
      headers.remove(HttpHeader.RECORDED);
      response.headers().addAll(headers);
      GatewayReplies.set(response, answer.added());
      Buffer all = received;
      if (all.length() > MemoryBudget.SMALL_PIECE_BYTES
          && !request.method().equals(HttpMethod.HEAD)) {
        PacedResponse.pieces(capacity.budget(), request, all.length(), all::slice, this::over);
      } else {
        over();
        GatewayReplies.end(request, all);
      }
    }
  }

  void inDoubt(EffectUnknown failure) {
    over();
    if (streamed != null) {
      ConnectionEnding.cut(request); // a partial answer must not look complete
      return;
    }
    Throwable cause = failure.getCause() == null ? failure : failure.getCause();
    GatewayReplies.problem(request, UpstreamErrors.inDoubt(cause), guarded.added().subList(0, 1));
  }
}

package dev.semel.server.gateway;

import dev.semel.http.HttpHeader;
import dev.semel.http.HttpIdempotency;
import dev.semel.http.spi.BodyDecision;
import dev.semel.http.spi.GuardedRequest;
import dev.semel.http.spi.HeadDecision;
import dev.semel.http.spi.HttpAnswer;
import dev.semel.idempotency.EffectUnknown;
import dev.semel.loop.internal.Loop;
import dev.semel.server.http.BodyReader;
import dev.semel.server.http.HeaderNames;
import dev.semel.server.http.MemoryBudget;
import dev.semel.server.http.ProblemDocument;
import dev.semel.server.http.RequestTarget;
import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;

/**
 * Guards requests with a key on one event loop. It reads the body there and executes on a virtual
 * thread, which may wait for the store and for other requests.
 */
final class RequestGuard implements BodyReader.Refusals {
  private static final ProblemDocument TOO_LATE =
      ProblemDocument.of(408, "request-timeout", "the body did not arrive in time: send it again");
  private static final System.Logger LOG = System.getLogger("dev.semel.server.gateway");

  private final Context loop;
  private final HttpIdempotency idempotency;
  private final GatewayCapacity capacity;
  private final UpstreamClient service;
  private final HeaderRules heads;
  private final BodyReader bodies;

  RequestGuard(
      Context loop,
      HttpIdempotency idempotency,
      GatewayCapacity capacity,
      UpstreamClient service,
      HeaderRules heads) {
    this.loop = loop;
    this.idempotency = idempotency;
    this.capacity = capacity;
    this.service = service;
    this.heads = heads;
    this.bodies =
        BodyReader.ofLongUse(loop.owner(), capacity.budget(), this)
            .within(service.limits().bodyTimeout());
  }

  HttpIdempotency idempotency() {
    return idempotency;
  }

  void take(HttpServerRequest request, RequestTarget target, HeadDecision.NeedsBody needed) {
    if (capacity.budget().full()) {
      noRoom(request);
      return;
    }
    bodies.read(
        request,
        needed.maxBytes(),
        (body, over) -> {
          if (capacity.enter()) {
            Loop.beside("semel-gateway", () -> run(request, target, needed, body, over));
          } else {
            over.run();
            request.response().putHeader(HeaderNames.RETRY_AFTER, "1");
            UpstreamErrors.BUSY.send(request);
          }
        });
  }

  @Override
  public void tooLarge(HttpServerRequest request, int max) {
    GatewayReplies.refuse(request, idempotency.tooLarge());
  }

  @Override
  public void noRoom(HttpServerRequest request) {
    request.response().putHeader(HeaderNames.RETRY_AFTER, "1");
    GatewayReplies.refuse(request, capacity.budget().refusal());
  }

  @Override
  public void tooLate(HttpServerRequest request) {
    GatewayReplies.closeSoon(request);
    TOO_LATE.send(request);
  }

  @Override
  public void broken(HttpServerRequest request) {
    GatewayReplies.broken(request);
  }

  private void run(
      HttpServerRequest request,
      RequestTarget target,
      HeadDecision.NeedsBody needed,
      byte[] body,
      Runnable over) {
    try {
      switch (idempotency.read(needed, body)) {
        case BodyDecision.Pass p ->
            loop.runOnContext(
                v ->
                    new PassThrough(loop.owner(), service, heads)
                        .send(request, target, Buffer.buffer(body)));
        case BodyDecision.Refused r ->
            loop.runOnContext(v -> GatewayReplies.send(request, r.answer()));
        case BodyDecision.Ready ready ->
            execute(
                request,
                ready.guarded(),
                new GuardedCall(
                        loop, service, capacity, request, ready.guarded(), idempotency.rules())
                    .to(PassThrough.uri(request, target), heads.forUpstream(request), body));
      }
    } catch (RuntimeException | Error e) {
      LOG.log(System.Logger.Level.ERROR, "a request failed for a reason of our own", e);
      loop.runOnContext(v -> UpstreamErrors.INTERNAL.send(request));
    } finally {
      over.run();
      capacity.leave();
    }
  }

  /**
   * Sends a recorded answer. All callers share one copy of a long answer, so this call releases
   * what it has read.
   */
  private void replay(HttpServerRequest request, HttpAnswer answer, GuardedCall call) {
    SentAnswers.Sent sent = capacity.answers().take(answer.response().body());
    int status = answer.response().status();
    List<HttpHeader> headers = answer.response().headers();
    List<HttpHeader> added = answer.added();
    loop.runOnContext(
        v -> {
          call.over();
          if (sent == null) {
            capacity.budget().refuse(request);
          } else {
            GatewayReplies.head(request, status, headers, added);
            GatewayReplies.pieces(capacity.budget(), request, sent);
          }
        });
  }

  private void execute(HttpServerRequest request, GuardedRequest guarded, GuardedCall call) {
    try {
      HttpAnswer answer = idempotency.execute(guarded, call::run);
      if (answer.kind() == HttpAnswer.Kind.REPLAYED
          && answer.response().body().length > MemoryBudget.SMALL_PIECE_BYTES) {
        replay(request, answer, call);
      } else {
        loop.runOnContext(v -> call.answer(answer));
      }
    } catch (GuardedCall.NotSent e) {
      loop.runOnContext(
          v -> {
            if (e.problem().status() == 503) {
              request.response().putHeader(HeaderNames.RETRY_AFTER, "1");
            }
            GatewayReplies.problem(request, e.problem(), guarded.added().subList(0, 1));
          });
    } catch (EffectUnknown e) {
      loop.runOnContext(v -> call.inDoubt(e));
    } catch (RuntimeException | Error e) {
      loop.runOnContext(v -> call.over());
      throw e;
    }
  }
}

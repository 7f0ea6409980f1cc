package dev.semel.server.gateway;

import dev.semel.http.Guarded;
import dev.semel.http.HttpAnswer;
import dev.semel.http.HttpIdempotency;
import dev.semel.http.Look;
import dev.semel.http.Read;
import dev.semel.idempotency.EffectUnknown;
import dev.semel.loop.Loop;
import dev.semel.server.http.Names;
import dev.semel.server.http.Target;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;

/**
 * Requests with a key, of one loop: reads the body there, and executes on a virtual thread, where
 * asking the store and waiting for others holds nobody up.
 */
final class Guard {
  private static final System.Logger LOG = System.getLogger("dev.semel.server.gateway");

  private final Context loop;
  private final HttpIdempotency idempotency;
  private final Capacity capacity;
  private final Service service;
  private final Heads heads;

  Guard(
      Context loop, HttpIdempotency idempotency, Capacity capacity, Service service, Heads heads) {
    this.loop = loop;
    this.idempotency = idempotency;
    this.capacity = capacity;
    this.service = service;
    this.heads = heads;
  }

  HttpIdempotency idempotency() {
    return idempotency;
  }

  void take(HttpServerRequest request, Target target, Look.NeedsBody needed) {
    Vertx vertx = loop.owner();
    new Intake(
            request,
            capacity,
            needed.maxBytes(),
            () -> Replies.refuse(request, idempotency.tooLarge()))
        .read(
            vertx,
            service.limits().bodyTimeout(),
            body -> {
              if (capacity.enter()) {
                Loop.beside("semel-gateway", () -> run(request, target, needed, body));
              } else {
                capacity.letGo(body.length());
                request.response().putHeader(Names.RETRY_AFTER, "1");
                Troubles.BUSY.send(request);
              }
            });
  }

  private void run(HttpServerRequest request, Target target, Look.NeedsBody needed, Buffer body) {
    try {
      switch (idempotency.read(needed, body.getBytes())) {
        case Read.Pass p ->
            loop.runOnContext(
                v -> new PassThrough(loop.owner(), service, heads).send(request, target, body));
        case Read.Refused r -> loop.runOnContext(v -> Replies.send(request, r.answer()));
        case Read.Ready ready ->
            execute(
                request,
                ready.guarded(),
                new GuardedCall(loop, service, request, ready.guarded(), idempotency.rules())
                    .to(PassThrough.uri(request, target), heads.forUpstream(request), body));
      }
    } catch (RuntimeException | Error e) {
      LOG.log(System.Logger.Level.ERROR, "a request failed for a reason of our own", e);
      loop.runOnContext(v -> Troubles.INTERNAL.send(request));
    } finally {
      capacity.letGo(body.length());
      capacity.leave();
    }
  }

  private void execute(HttpServerRequest request, Guarded guarded, GuardedCall call) {
    try {
      HttpAnswer answer = idempotency.execute(guarded, call::run);
      loop.runOnContext(v -> call.answer(answer));
    } catch (GuardedCall.NotSent e) {
      loop.runOnContext(
          v -> {
            if (e.problem().status() == 503) {
              request.response().putHeader(Names.RETRY_AFTER, "1");
            }
            Replies.problem(request, e.problem(), guarded.added().subList(0, 1));
          });
    } catch (EffectUnknown e) {
      loop.runOnContext(v -> call.inDoubt(e));
    }
  }
}

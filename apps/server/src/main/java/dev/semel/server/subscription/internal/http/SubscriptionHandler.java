package dev.semel.server.subscription.internal.http;

import dev.semel.InvalidInput;
import dev.semel.server.http.BodyReader;
import dev.semel.server.http.ConnectionEnding;
import dev.semel.server.http.HeaderFields;
import dev.semel.server.http.MemoryBudget;
import dev.semel.server.http.RequestAuthority;
import dev.semel.server.http.RouteTable;
import dev.semel.server.subscription.SubscriptionSettings;
import dev.semel.server.subscription.internal.SubscriptionService;
import dev.semel.server.subscription.internal.rules.HolderRequest;
import dev.semel.server.subscription.internal.rules.ProtocolCode;
import dev.semel.server.subscription.internal.rules.SubscriptionConfig;
import dev.semel.server.subscription.internal.rules.SubscriptionReply;
import dev.semel.server.subscription.internal.rules.WakeDelivery;
import dev.semel.stream.StreamPath;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.HostAndPort;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/** Reads requests on their event loops, and hands them to the service on its context. */
public final class SubscriptionHandler implements BodyReader.Refusals {
  /** Limit of bytes in incomplete bodies, of all requests together. */
  public static final int MAX_HELD_BYTES = 64 << 20;

  private final Vertx vertx;
  private final Context context;
  private final SubscriptionService service;
  private final SubscriptionSettings settings;
  private final InstantSource clock;
  private final String prefix;
  private final BodyReader bodies;
  private final AtomicInteger waiting = new AtomicInteger();

  public SubscriptionHandler(
      Vertx vertx,
      Context context,
      SubscriptionService service,
      SubscriptionSettings settings,
      InstantSource clock) {
    this.vertx = vertx;
    this.context = context;
    this.service = service;
    this.settings = settings;
    this.clock = clock;
    this.bodies = BodyReader.ofLongUse(vertx, new MemoryBudget(MAX_HELD_BYTES), this);
    this.prefix = settings.root() + StreamPath.RESERVED + '/';
  }

  public void handle(HttpServerRequest request) {
    String path = Optional.ofNullable(request.path()).orElse("");
    try {
      switch (match(request.method().name(), path)) {
        case RouteTable.Match.Found<Function<List<String>, SubscriptionRoute>> found -> {
          SubscriptionRoute route = found.route().apply(found.named());
          read(request, body -> serve(request, route, body));
        }
        case RouteTable.Match.OtherMethod<?> other -> {
          request.response().putHeader("allow", other.allowed());
          SubscriptionReplies.refuse(
              request, ProtocolCode.METHOD_NOT_ALLOWED, "use " + other.allowed() + " here");
        }
        case RouteTable.Match.Nothing<?> nothing ->
            SubscriptionReplies.refuse(
                request,
                ProtocolCode.SUBSCRIPTION_NOT_FOUND,
                "nothing is here: see the protocol's paths");
      }
    } catch (InvalidInput e) {
      SubscriptionReplies.fail(request, e);
    }
  }

  private RouteTable.Match<Function<List<String>, SubscriptionRoute>> match(
      String method, String path) {
    return path.startsWith(prefix)
        ? SubscriptionRoute.TABLE.find(method, path.substring(prefix.length()))
        : new RouteTable.Match.Nothing<>();
  }

  /** Limits the body, because the caller may be known only once it is read. */
  private void read(HttpServerRequest request, Consumer<byte[]> then) {
    bodies.read(
        request,
        settings.limits().requestBytes(),
        (body, over) -> {
          over.run();
          then.accept(body);
        });
    request.resume();
  }

  @Override
  public void tooLarge(HttpServerRequest request, int max) {
    refuse(request, ProtocolCode.REQUEST_TOO_LARGE, "the body has at most %d bytes".formatted(max));
  }

  @Override
  public void noRoom(HttpServerRequest request) {
    refuse(
        request,
        ProtocolCode.UNAVAILABLE,
        "bodies of %d bytes are coming in already: come back in a moment"
            .formatted(MAX_HELD_BYTES));
  }

  private void refuse(HttpServerRequest request, ProtocolCode code, String message) {
    ConnectionEnding.soon(vertx, request);
    SubscriptionReplies.refuse(request, code, message);
  }

  private void serve(HttpServerRequest request, SubscriptionRoute route, byte[] body) {
    try {
      switch (route) {
        case SubscriptionRoute.Keys r ->
            ask(
                request,
                () -> service.keys(clock.millis()),
                keys -> SubscriptionReplies.keys(request, keys));
        case SubscriptionRoute.One r -> one(request, r.id(), body);
        case SubscriptionRoute.Links r -> {
          List<StreamPath> streams = SubscriptionRequests.streams(body);
          answer(request, () -> service.add(r.id(), streams));
        }
        case SubscriptionRoute.OneLink r -> answer(request, () -> service.remove(r.id(), r.path()));
        case SubscriptionRoute.Act r -> act(request, r, body);
      }
    } catch (InvalidInput e) {
      SubscriptionReplies.fail(request, e);
    }
  }

  private void one(HttpServerRequest request, String id, byte[] body) {
    if (request.method().equals(HttpMethod.DELETE)) {
      answer(request, () -> service.delete(id));
    } else if (request.method().equals(HttpMethod.PUT)) {
      put(request, id, body);
    } else {
      answer(request, () -> service.get(id));
    }
  }

  private void put(HttpServerRequest request, String id, byte[] body) {
    SubscriptionConfig config = SubscriptionRequests.config(body);
    if (config.delivery() instanceof WakeDelivery.Webhook w) {
      try {
        WebhookUrl.parse(w.url(), settings.loopbackWebhooks());
      } catch (InvalidInput e) {
        SubscriptionReplies.refuse(
            request, ProtocolCode.WEBHOOK_URL_REJECTED, String.valueOf(e.getMessage()));
        return;
      }
    }
    String base = base(request);
    answer(request, () -> service.put(id, config, base));
  }

  private String base(HttpServerRequest request) {
    HostAndPort authority = request.authority();
    if (settings.publicUrl().isEmpty() && authority == null) {
      throw new InvalidInput("the request names no host: send one, or set the public address");
    }
    return settings
        .publicUrl()
        .orElseGet(() -> RequestAuthority.scheme(request) + "://" + authority);
  }

  private void act(HttpServerRequest request, SubscriptionRoute.Act act, byte[] body) {
    String id = act.id();
    if (act.action() == SubscriptionRoute.Action.CLAIM) {
      String worker = SubscriptionRequests.worker(body);
      answer(request, () -> service.claim(id, worker));
      return;
    }
    Optional<String> token = Optional.ofNullable(HeaderFields.bearer(request.headers()));
    if (token.isEmpty()) {
      SubscriptionReplies.refuse(
          request,
          ProtocolCode.TOKEN_INVALID,
          "the wake's token is missing: send it as Authorization: Bearer …");
      return;
    }
    HolderRequest held = SubscriptionRequests.held(body);
    if (act.action() == SubscriptionRoute.Action.RELEASE) {
      answer(request, () -> service.release(id, token.get(), held));
    } else {
      boolean webhook = act.action() == SubscriptionRoute.Action.CALLBACK;
      answer(request, () -> service.ack(id, token.get(), held, webhook));
    }
  }

  private void answer(HttpServerRequest request, Supplier<Future<SubscriptionReply>> call) {
    ask(request, call, reply -> SubscriptionReplies.send(request, reply));
  }

  private <T> void ask(HttpServerRequest request, Supplier<Future<T>> call, Consumer<T> answer) {
    if (waiting.incrementAndGet() > settings.limits().waitingRequests()) {
      waiting.decrementAndGet();
      SubscriptionReplies.refuse(
          request,
          ProtocolCode.UNAVAILABLE,
          "%d requests are waiting already: come back in a moment"
              .formatted(settings.limits().waitingRequests()));
      return;
    }
    Context home = vertx.getOrCreateContext();
    context.runOnContext(
        go ->
            call.get()
                .onComplete(
                    done -> {
                      waiting.decrementAndGet();
                      home.runOnContext(back -> finish(request, done, answer));
                    }));
  }

  private static <T> void finish(
      HttpServerRequest request, AsyncResult<T> done, Consumer<T> answer) {
    if (request.response().closed()) {
      return; // the caller is gone; the decision stands
    }
    if (done.succeeded()) {
      answer.accept(done.result());
    } else {
      SubscriptionReplies.fail(request, done.cause());
    }
  }
}

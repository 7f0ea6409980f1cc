package dev.semel.server.subscription;

import dev.semel.InvalidInput;
import dev.semel.server.http.ConnectionEnding;
import dev.semel.server.http.RequestAuthority;
import dev.semel.stream.StreamPath;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.HostAndPort;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Takes requests in on their event loops, and hands them to the desk on its context. */
final class Reception {
  /** Most bytes of bodies that are not complete yet, of all requests together. */
  static final int MAX_HELD_BYTES = 64 << 20;

  private static final String BEARER = "bearer ";

  private final Vertx vertx;
  private final Context context;
  private final Desk desk;
  private final SubscriptionSettings settings;
  private final InstantSource clock;
  private final String prefix;
  private final AtomicLong held = new AtomicLong();
  private final AtomicInteger waiting = new AtomicInteger();

  Reception(
      Vertx vertx, Context context, Desk desk, SubscriptionSettings settings, InstantSource clock) {
    this.vertx = vertx;
    this.context = context;
    this.desk = desk;
    this.settings = settings;
    this.clock = clock;
    this.prefix = settings.root() + StreamPath.RESERVED + '/';
  }

  private Route route(HttpServerRequest request) {
    String path = Optional.ofNullable(request.path()).orElse("");
    return path.startsWith(prefix)
        ? Route.parse(path.substring(prefix.length()))
        : new Route.Nowhere();
  }

  void handle(HttpServerRequest request) {
    Route route;
    try {
      route = route(request);
    } catch (InvalidInput e) {
      Replies.fail(request, e);
      return;
    }
    if (route instanceof Route.Nowhere) {
      Replies.refuse(
          request, Code.SUBSCRIPTION_NOT_FOUND, "nothing is here: see the protocol's paths");
      return;
    }
    if (!route.methods().contains(request.method().name())) {
      String allowed = route.methods().stream().sorted().collect(Collectors.joining(", "));
      request.response().putHeader("allow", allowed);
      Replies.refuse(request, Code.METHOD_NOT_ALLOWED, "use " + allowed + " here");
      return;
    }
    body(request, body -> serve(request, route, body));
  }

  private void body(HttpServerRequest request, Consumer<byte[]> then) {
    Intake intake = new Intake(request);
    request.handler(intake::part);
    request.exceptionHandler(failure -> intake.end());
    request.endHandler(
        end -> {
          if (intake.end()) {
            then.accept(intake.body.getBytes());
          }
        });
    request.resume();
  }

  /** One body on its way. Whose it is may be known only once it is there, so it is kept small. */
  private final class Intake {
    private final HttpServerRequest request;
    private final Buffer body = Buffer.buffer();
    private boolean over;

    Intake(HttpServerRequest request) {
      this.request = request;
    }

    void part(Buffer part) {
      int max = settings.limits().requestBytes();
      if (over) {
        return; // refused, and on its way out
      }
      if (body.length() + (long) part.length() > max) {
        refuse(Code.REQUEST_TOO_LARGE, "the body has at most %d bytes".formatted(max));
      } else if (held.addAndGet(part.length()) > MAX_HELD_BYTES) {
        held.addAndGet(-part.length());
        refuse(
            Code.UNAVAILABLE,
            "bodies of %d bytes are coming in already: come back in a moment"
                .formatted(MAX_HELD_BYTES));
      } else {
        body.appendBuffer(part);
      }
    }

    private void refuse(Code code, String message) {
      end();
      ConnectionEnding.soon(vertx, request);
      Replies.refuse(request, code, message);
    }

    /** False: it was over before. */
    boolean end() {
      if (over) {
        return false;
      }
      over = true;
      held.addAndGet(-body.length());
      return true;
    }
  }

  private void serve(HttpServerRequest request, Route route, byte[] body) {
    try {
      switch (route) {
        case Route.Keys r ->
            ask(request, () -> desk.keys(clock.millis()), keys -> Replies.keys(request, keys));
        case Route.One r -> one(request, r.id(), body);
        case Route.Links r -> {
          List<StreamPath> streams = Requests.streams(body);
          answer(request, () -> desk.add(r.id(), streams));
        }
        case Route.OneLink r -> answer(request, () -> desk.remove(r.id(), r.path()));
        case Route.Act r -> act(request, r, body);
        case Route.Nowhere r -> throw new IllegalStateException("was refused before");
      }
    } catch (InvalidInput e) {
      Replies.fail(request, e);
    }
  }

  private void one(HttpServerRequest request, String id, byte[] body) {
    if (request.method().equals(HttpMethod.DELETE)) {
      answer(request, () -> desk.delete(id));
    } else if (request.method().equals(HttpMethod.PUT)) {
      put(request, id, body);
    } else {
      answer(request, () -> desk.get(id));
    }
  }

  private void put(HttpServerRequest request, String id, byte[] body) {
    Config config = Requests.config(body);
    if (config.delivery() instanceof Delivery.Webhook w) {
      try {
        WebhookUrl.parse(w.url(), settings.loopbackWebhooks());
      } catch (InvalidInput e) {
        Replies.refuse(request, Code.WEBHOOK_URL_REJECTED, String.valueOf(e.getMessage()));
        return;
      }
    }
    String base = base(request);
    answer(request, () -> desk.put(id, config, base));
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

  private void act(HttpServerRequest request, Route.Act act, byte[] body) {
    String id = act.id();
    if (act.action() == Route.Action.CLAIM) {
      String worker = Requests.worker(body);
      answer(request, () -> desk.claim(id, worker));
      return;
    }
    Optional<String> token = bearer(request);
    if (token.isEmpty()) {
      Replies.refuse(
          request,
          Code.TOKEN_INVALID,
          "the wake's token is missing: send it as Authorization: Bearer …");
      return;
    }
    Held held = Requests.held(body);
    if (act.action() == Route.Action.RELEASE) {
      answer(request, () -> desk.release(id, token.get(), held));
    } else {
      boolean webhook = act.action() == Route.Action.CALLBACK;
      answer(request, () -> desk.ack(id, token.get(), held, webhook));
    }
  }

  private static Optional<String> bearer(HttpServerRequest request) {
    return Optional.ofNullable(request.getHeader("authorization"))
        .filter(value -> value.toLowerCase(Locale.ROOT).startsWith(BEARER))
        .map(value -> value.substring(BEARER.length()).strip());
  }

  private void answer(HttpServerRequest request, Supplier<Future<Reply>> call) {
    ask(request, call, reply -> Replies.send(request, reply));
  }

  private <T> void ask(HttpServerRequest request, Supplier<Future<T>> call, Consumer<T> answer) {
    if (waiting.incrementAndGet() > settings.limits().waitingRequests()) {
      waiting.decrementAndGet();
      Replies.refuse(
          request,
          Code.UNAVAILABLE,
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
      return; // the caller has gone; what was decided stands
    }
    if (done.succeeded()) {
      answer.accept(done.result());
    } else {
      Replies.fail(request, done.cause());
    }
  }
}

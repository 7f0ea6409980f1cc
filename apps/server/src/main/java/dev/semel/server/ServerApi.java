package dev.semel.server;

import dev.semel.InvalidInput;
import dev.semel.admin.document.internal.AdminAction;
import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonBoolean;
import dev.semel.json.JsonValue.JsonNumber;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.json.JsonValue.JsonString;
import dev.semel.server.admin.AdminApi;
import dev.semel.server.http.ConnectionAdmission;
import dev.semel.server.http.HeaderNames;
import dev.semel.server.http.PacedResponse;
import dev.semel.server.http.ProblemDocument;
import dev.semel.server.http.RequestRoute;
import dev.semel.server.http.RequestTarget;
import dev.semel.server.http.RouteTable;
import dev.semel.server.stream.CallFailures;
import dev.semel.server.stream.EngineCalls;
import dev.semel.server.stream.HomeLoop;
import dev.semel.server.stream.RequestBodies;
import dev.semel.stream.StreamPath;
import dev.semel.stream.spi.StreamExpiry;
import dev.semel.stream.spi.StreamHead;
import dev.semel.stream.spi.StreamResult;
import dev.semel.stream.spi.Streams;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Health checks, and the parts of the admin API that concern streams, producers and callers. */
final class ServerApi {
  /** Limit of streams in one answer. */
  static final int MAX_LISTED = 1000;

  private static final int DEFAULT_LISTED = 100;

  /** Limit of a request's body, in bytes. */
  static final int MAX_BODY_BYTES = 16 << 10;

  private static final ProblemDocument STOPPING =
      ProblemDocument.of(503, "stopping", "the server is about to stop: ask another one");

  private final Authorizer gate;
  private final ConnectionAdmission admission;
  private final Streams streams;
  private final HomeLoop loop;
  private final RequestBodies bodies;
  private final Optional<AdminApi> admin;

  ServerApi(
      Authorizer gate,
      ConnectionAdmission admission,
      Streams streams,
      HomeLoop loop,
      RequestBodies bodies,
      Optional<AdminApi> admin) {
    this.gate = gate;
    this.admission = admission;
    this.streams = streams;
    this.loop = loop;
    this.bodies = bodies;
    this.admin = admin;
  }

  /** Health checks: the server answers them even at its limit of connections. */
  static final Set<String> HEALTH_PATHS = Set.of("/healthz", "/readyz");

  /** Addresses here that are no action of an operator; the OpenAPI description lists them. */
  static final List<AdminApi.Address> ADDRESSES =
      List.of(
          new AdminApi.Address("GET", "/healthz", "The server runs."),
          new AdminApi.Address(
              "GET",
              "/readyz",
              "The server gets answers from its store, takes connections, and is not about to stop."));

  void addTo(RouteTable<RequestRoute> table) {
    for (AdminApi.Address each : ADDRESSES) {
      table.add(each.method(), each.path(), route(each.path()));
    }
    for (AdminAction each : AdminApi.ELSEWHERE) {
      String path = AdminAction.ROOT + each.path();
      table.add(each.method(), path, route(path));
    }
  }

  private RequestRoute route(String path) {
    return switch (path) {
      case "/healthz" -> (request, target, named) -> ok(request, "ok");
      case "/readyz" -> (request, target, named) -> ready(request);
      case "/api/v1/whoami" -> (request, target, named) -> whoAmI(request);
      case "/api/v1/quotas" -> (request, target, named) -> quotas(request);
      case "/api/v1/streams" -> (request, target, named) -> list(request, target);
      case "/api/v1/producers" -> (request, target, named) -> producers(request, target);
      case "/api/v1/producers/fence" -> (request, target, named) -> fence(request);
      default -> throw new IllegalStateException("nothing is here that answers " + path);
    };
  }

  private void ok(HttpServerRequest request, String word) {
    json(request, Json.object().with("status", word));
  }

  private void json(HttpServerRequest request, JsonObjectBuilder members) {
    request
        .response()
        .putHeader(HeaderNames.CONTENT_TYPE, HeaderNames.JSON)
        .putHeader(HeaderNames.CACHE_CONTROL, HeaderNames.NO_STORE);
    PacedResponse.send(bodies.budget(), request, Buffer.buffer(members.write()));
  }

  /**
   * Answers with the caller's name and role, so that a page offers nothing that would be refused.
   */
  private void whoAmI(HttpServerRequest request) {
    gate.admits(request, false)
        .ifPresent(
            actor ->
                json(
                    request,
                    Json.object()
                        .with("name", actor)
                        .with("role", gate.mayChange(request) ? "admin" : "read")));
  }

  /**
   * Ready means: the engine answers, and the store if there is one; connections are below their
   * limit; the server is not about to stop.
   */
  private void ready(HttpServerRequest request) {
    if (gate.closing()) {
      STOPPING.send(request);
      return;
    }
    ProblemDocument full = admission.full();
    if (full != null) {
      full.send(request);
      return;
    }
    EngineCalls.answer(
        loop,
        request,
        () -> streams.list("", "", 1).thenCompose(found -> store()),
        answered -> ok(request, "ready"));
  }

  private CompletionStage<?> store() {
    return admin.isPresent()
        ? admin.get().ready()
        : CompletableFuture.completedFuture(Boolean.TRUE);
  }

  private void quotas(HttpServerRequest request) {
    if (gate.admits(request, AccessRight.READ, AccessRules.ANYTHING)) {
      json(request, gate.quotas().json());
    }
  }

  private void list(HttpServerRequest request, RequestTarget target) {
    String prefix = or(target.parameter("prefix"), "");
    String after = or(target.parameter("after"), "");
    int limit = limit(target.parameter("limit"));
    if (!gate.admits(request, AccessRight.READ, prefix + AccessRules.ANYTHING)) {
      return;
    }
    EngineCalls.answer(
        loop,
        request,
        () -> streams.list(prefix, after, limit + 1),
        found -> json(request, page(found, limit)));
  }

  private static JsonObjectBuilder page(List<StreamHead> found, int limit) {
    List<StreamHead> shown = found.size() > limit ? found.subList(0, limit) : found;
    JsonObjectBuilder page =
        Json.object().with("streams", shown.stream().map(ServerApi::stream).toList());
    return found.size() > limit ? page.with("next", shown.get(limit - 1).path().text()) : page;
  }

  /**
   * Members in camel case are the older spelling; they stay beside the newer one for one version.
   */
  private static JsonObject stream(StreamHead head) {
    JsonObjectBuilder members =
        Json.object()
            .with("path", head.path().text())
            .with("content_type", head.config().type().text())
            .with("contentType", head.config().type().text())
            .with("start", head.start().text())
            .with("tail", head.tail().text())
            .with("closed", head.closed());
    switch (head.config().expiry()) {
      case StreamExpiry.Never n -> {}
      case StreamExpiry.Idle i ->
          members.with("ttl_seconds", i.seconds()).with("ttlSeconds", i.seconds());
      case StreamExpiry.At a -> {
        String at = Instant.ofEpochMilli(a.epochMillis()).toString();
        members.with("expires_at", at).with("expiresAt", at);
      }
    }
    head.config()
        .fork()
        .map(fork -> fork.source().text())
        .ifPresent(from -> members.with("forked_from", from).with("forkedFrom", from));
    return members.build();
  }

  private void producers(HttpServerRequest request, RequestTarget target) {
    String stream = target.parameter("stream");
    if (stream == null) {
      throw new InvalidInput("name the stream: ?stream=orders/eu");
    }
    StreamPath path = new StreamPath(stream);
    if (!gate.admits(request, AccessRight.READ, path.text())) {
      return;
    }
    EngineCalls.answer(
        loop,
        request,
        () -> streams.producers(path),
        found ->
            json(
                request,
                Json.object()
                    .with("stream", path.text())
                    .with("producers", found.stream().map(ServerApi::producer).toList())));
  }

  /** Has two spellings, like {@link #stream}. */
  private static JsonObject producer(StreamResult.Producer p) {
    JsonObjectBuilder members =
        Json.object().with("id", p.id()).with("managed", p.managed()).with("epoch", p.epoch());
    if (p.lastSeq().isPresent()) {
      long seq = p.lastSeq().getAsLong();
      members.with("last_seq", seq).with("lastSeq", seq);
    }
    String used = Instant.ofEpochMilli(p.lastUsed()).toString();
    return members.with("last_used", used).with("lastUsed", used).build();
  }

  private void fence(HttpServerRequest request) {
    bodies.read(
        request,
        raw -> {
          try {
            fence(request, Json.parse(raw));
          } catch (InvalidInput e) {
            CallFailures.send(request, e);
          }
        });
  }

  private void fence(HttpServerRequest request, JsonValue body) {
    if (!(body instanceof JsonObject asked)) {
      throw new InvalidInput("send an object with stream, id and epoch");
    }
    StreamPath path = new StreamPath(text(asked, "stream"));
    String id = text(asked, "id");
    long epoch = number(asked, "epoch");
    boolean managed = asked.get("managed").map(m -> m.equals(new JsonBoolean(true))).orElse(false);
    if (!gate.admits(request, AccessRight.ADMIN, path.text())) {
      return;
    }
    EngineCalls.answer(
        loop,
        request,
        () -> streams.fence(path, id, managed, epoch),
        fenced -> json(request, Json.object().with("fenced", fenced)));
  }

  private static String text(JsonObject object, String name) {
    if (object.get(name).orElse(null) instanceof JsonString s) {
      return s.text();
    }
    throw missing(name, "a text");
  }

  private static long number(JsonObject object, String name) {
    try {
      if (object.get(name).orElse(null) instanceof JsonNumber n) {
        return n.value().longValueExact();
      }
    } catch (ArithmeticException e) {
      // reported below
    }
    throw missing(name, "a whole number");
  }

  private static InvalidInput missing(String name, String what) {
    return new InvalidInput("the member %s must be there and be %s".formatted(name, what));
  }

  private static int limit(@Nullable String text) {
    if (text == null) {
      return DEFAULT_LISTED;
    }
    try {
      int limit = Integer.parseInt(text);
      if (limit >= 1 && limit <= MAX_LISTED) {
        return limit;
      }
    } catch (NumberFormatException e) {
      // reported below
    }
    throw new InvalidInput("limit must be a number from 1 to %d".formatted(MAX_LISTED));
  }

  private static String or(@Nullable String text, String otherwise) {
    return text == null ? otherwise : text;
  }
}

package dev.semel.server.admin;

import dev.semel.InvalidInput;
import dev.semel.admin.AdminTargets;
import dev.semel.admin.document.internal.AdminAction;
import dev.semel.json.Json;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.loop.internal.Loop;
import dev.semel.server.http.HeaderNames;
import dev.semel.server.http.PacedResponse;
import dev.semel.server.http.RequestRoute;
import dev.semel.server.http.RouteTable;
import dev.semel.server.stream.RequestBodies;
import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.function.Function;

/**
 * All routes of the admin API, shared by all event loops of a server. The caller owns the targets.
 */
public final class AdminApi implements AutoCloseable {
  /**
   * Limit of concurrent calls, because each may hold a connection to the store. Calls beyond it are
   * refused.
   */
  static final int MAX_CALLS = 64;

  /** Actions that the server itself answers, because they concern its streams and callers. */
  public static final Set<AdminAction> ELSEWHERE =
      EnumSet.of(
          AdminAction.STREAMS_LIST,
          AdminAction.PRODUCERS_LIST,
          AdminAction.PRODUCERS_FENCE,
          AdminAction.QUOTAS,
          AdminAction.WHOAMI);

  private final AdminTargets targets;
  private final LiveFeed feed;
  private final List<AdminRoute> routes;
  private final Semaphore calls = new Semaphore(MAX_CALLS);

  /** The last check of readiness. Anyone may ask for it, so that only one runs at a time. */
  private CompletableFuture<Object> readiness = CompletableFuture.completedFuture("not asked yet");

  /**
   * Reads nothing yet.
   *
   * @param others addresses of the server outside of this API, for the description
   */
  public AdminApi(AdminBackend administration, List<Address> others) {
    this.targets = administration.targets();
    this.feed = new LiveFeed(targets.store().events());
    List<AdminRoute> all = new ArrayList<>();
    all.addAll(new TargetRoutes(administration).all());
    all.addAll(KeyRoutes.all());
    all.addAll(OutboxRoutes.all());
    all.addAll(InboxRoutes.all());
    all.addAll(JobRoutes.all());
    all.addAll(new LineExport().all());
    all.add(
        AdminRoute.flow(AdminAction.EVENTS, (asked, exchange) -> LiveReader.begin(feed, exchange)));
    all.add(AdminRoute.of(AdminAction.OPENAPI, asked -> OpenApi.of(others)));
    this.routes = complete(all);
  }

  /** Throws if an action has no route: the description would show it, but calls would fail. */
  private static List<AdminRoute> complete(List<AdminRoute> all) {
    Set<AdminAction> missing = EnumSet.complementOf(EnumSet.copyOf(ELSEWHERE));
    all.forEach(route -> missing.remove(route.action()));
    if (!missing.isEmpty()) {
      throw new IllegalStateException("nothing answers " + missing);
    }
    return List.copyOf(all);
  }

  /**
   * An address that is no action of an operator, for the description.
   *
   * @param path the full path
   */
  public record Address(String method, String path, String summary) {}

  /**
   * Adds these routes for the connections of one event loop.
   *
   * @param door authorizes requests
   */
  public void addTo(
      RouteTable<RequestRoute> table, Context loop, AdminAccess door, RequestBodies bodies) {
    for (AdminRoute route : routes) {
      table.add(
          route.action().method(),
          AdminAction.ROOT + route.action().path(),
          (request, target, named) ->
              door.admits(request, route.action().needsAdmin())
                  .ifPresent(
                      actor ->
                          take(
                              new AdminExchange(loop, request, bodies.budget()),
                              bodies,
                              route,
                              body ->
                                  new AdminRequest(
                                      targets.as(actor),
                                      route,
                                      named.isEmpty() ? "" : named.get(0),
                                      target,
                                      body))));
    }
  }

  private void take(
      AdminExchange exchange,
      RequestBodies bodies,
      AdminRoute route,
      Function<JsonObject, AdminRequest> asked) {
    if (!route.action().takesBody()) {
      run(exchange, route, asked.apply(Json.object().build()));
      return;
    }
    bodies.read(
        exchange.request(),
        raw -> {
          try {
            run(exchange, route, asked.apply(body(raw)));
          } catch (RuntimeException e) {
            AdminRefusals.send(exchange.request(), e);
          }
        });
  }

  private static JsonObject body(byte[] raw) {
    if (raw.length == 0) {
      return Json.object().build();
    }
    JsonValue value = Json.parse(raw);
    if (value instanceof JsonObject object) {
      return object;
    }
    throw new InvalidInput("send an object");
  }

  private void run(AdminExchange exchange, AdminRoute route, AdminRequest asked) {
    asked.check();
    switch (route.answer()) {
      case AdminRoute.Flow flow -> flow.begin(asked, exchange);
      case AdminRoute.Question question -> ask(exchange, question, asked);
    }
  }

  private void ask(AdminExchange exchange, AdminRoute.Question question, AdminRequest asked) {
    if (!calls.tryAcquire()) {
      AdminRefusals.send(exchange.request(), AdminRefusals.BUSY);
      return;
    }
    Loop.beside(
        "semel-admin",
        () -> {
          try {
            JsonObject answer = question.answer(asked).build();
            assert asDescribed(asked.route().action(), answer);
            exchange.onLoop(() -> send(exchange, Json.write(answer)));
          } catch (RuntimeException | Error e) {
            exchange.onLoop(() -> AdminRefusals.send(exchange.request(), e));
          } finally {
            calls.release();
          }
        });
  }

  /**
   * Checks an answer against its schema. Our tests run with assertions, so each of them that calls
   * a server checks its answers.
   */
  private static boolean asDescribed(AdminAction action, JsonObject answer) {
    List<String> differences = action.answer().differences(answer);
    if (!differences.isEmpty()) {
      throw new AssertionError(action + " is not answered as it is described: " + differences);
    }
    return true;
  }

  private static void send(AdminExchange exchange, String document) {
    if (exchange.response().closed()) {
      return;
    }
    exchange
        .response()
        .putHeader(HeaderNames.CONTENT_TYPE, HeaderNames.JSON)
        .putHeader(HeaderNames.CACHE_CONTROL, HeaderNames.NO_STORE);
    PacedResponse.send(exchange.budget(), exchange.request(), Buffer.buffer(document));
  }

  /** Completes when the store has answered; concurrent callers share that answer. */
  public synchronized CompletionStage<?> ready() {
    if (!readiness.isDone()) {
      return readiness;
    }
    CompletableFuture<Object> answered = new CompletableFuture<>();
    readiness = answered;
    Loop.beside(
        "semel-ready",
        () -> {
          try {
            answered.complete(targets.store().now());
          } catch (RuntimeException | Error e) {
            answered.completeExceptionally(e);
          }
        });
    return answered;
  }

  /** Ends the connections that follow events. */
  @Override
  public void close() {
    feed.close();
  }
}

package dev.semel.server.admin;

import dev.semel.InvalidInput;
import dev.semel.admin.AdminTargets;
import dev.semel.json.Json;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.loop.Loop;
import dev.semel.server.http.HeaderNames;
import dev.semel.server.http.PacedResponse;
import dev.semel.server.http.RequestRoute;
import dev.semel.server.http.RequestTarget;
import dev.semel.server.http.RouteTable;
import dev.semel.server.stream.RequestBodies;
import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;

/**
 * All routes of the admin API, for all loops of a server. The targets belongs to whoever opened it.
 */
public final class AdminApi implements AutoCloseable {
  static final String ROOT = "/api/v1/";

  /** More calls than this at a time are refused: each may hold a connection to the store. */
  static final int MAX_CALLS = 64;

  private final AdminTargets targets;
  private final LiveFeed feed;
  private final List<AdminRoute> routes;
  private final Semaphore calls = new Semaphore(MAX_CALLS);

  /** Anyone may ask for it, so that the store is asked for one at a time. */
  private CompletableFuture<Object> readiness = CompletableFuture.completedFuture("not asked yet");

  /**
   * Reads nothing yet.
   *
   * @param others what the server answers beside this below the same root
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
    all.addAll(BackupRoutes.all());
    all.add(
        new AdminRoute(
            "GET",
            "events",
            false,
            "Events as they come, as server-sent events; Last-Event-ID goes on from there.",
            List.of(),
            (AdminRoute.Flow) (asked, exchange) -> LiveReader.begin(feed, exchange)));
    List<AdminRoute> described = others.stream().map(Address::route).toList();
    all.add(
        AdminRoute.get(
            "openapi.json",
            "This description.",
            List.of(),
            asked -> OpenApi.of(this.routes(), described)));
    this.routes = List.copyOf(all);
  }

  private List<AdminRoute> routes() {
    return routes;
  }

  /**
   * Something that is answered elsewhere, for the description.
   *
   * @param path the whole of it
   * @param changes only for those who may change something
   */
  public record Address(String method, String path, boolean changes, String summary) {
    private AdminRoute route() {
      return new AdminRoute(
          method, path, changes, summary, List.of(), (AdminRoute.Question) asked -> "");
    }
  }

  /**
   * Adds what is answered here, for the connections of one loop.
   *
   * @param door who may
   */
  public void addTo(
      RouteTable<RequestRoute> table, Context loop, AdminAccess door, RequestBodies bodies) {
    for (AdminRoute route : routes) {
      table.add(
          route.method(),
          ROOT + route.pattern(),
          (request, target, named) ->
              door.admits(request, route.changes())
                  .ifPresent(
                      actor ->
                          take(
                              loop,
                              request,
                              route,
                              bodies,
                              actor,
                              named.isEmpty() ? "" : named.get(0),
                              target)));
    }
  }

  private void take(
      Context loop,
      HttpServerRequest request,
      AdminRoute route,
      RequestBodies bodies,
      String actor,
      String named,
      RequestTarget target) {
    if (!route.takesBody()) {
      run(
          new AdminExchange(loop, request, bodies.budget()),
          route,
          new AdminRequest(targets.as(actor), actor, named, target, Json.object().build()));
      return;
    }
    bodies.read(
        request,
        raw -> {
          try {
            run(
                new AdminExchange(loop, request, bodies.budget()),
                route,
                new AdminRequest(targets.as(actor), actor, named, target, body(raw)));
          } catch (RuntimeException e) {
            AdminRefusals.send(request, e);
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
    asked.check(route.parameters());
    switch (route.action()) {
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
            String answer = question.answer(asked);
            exchange.onLoop(() -> send(exchange, answer));
          } catch (RuntimeException | Error e) {
            exchange.onLoop(() -> AdminRefusals.send(exchange.request(), e));
          } finally {
            calls.release();
          }
        });
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

  /** Completes when the store has answered; all who ask meanwhile get the same answer. */
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

  /** Lets those go who follow events. */
  @Override
  public void close() {
    feed.close();
  }
}

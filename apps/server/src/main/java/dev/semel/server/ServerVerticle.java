package dev.semel.server;

import dev.semel.server.http.ConnectionAdmission;
import dev.semel.server.http.PacedResponse;
import dev.semel.server.http.RequestRoute;
import dev.semel.server.http.RouteTable;
import dev.semel.server.http.ServerConnections;
import dev.semel.server.metrics.MetricsRoute;
import dev.semel.server.stream.HomeLoop;
import dev.semel.server.stream.RequestBodies;
import dev.semel.server.stream.ServerContext;
import dev.semel.server.stream.StreamRoutes;
import dev.semel.stream.spi.Streams;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One event loop's part of the server: wires together everything that serves its connections. */
final class ServerVerticle extends VerticleBase {
  private static final int IDLE_MARGIN_SECONDS = 30;

  /** With -1, all event loops share one free port; with 0, each would get another one. */
  private static final int ANY_FREE_PORT = -1;

  private final ServerSettings settings;
  private final Streams streams;
  private final ServerContext shared;
  private final AuxiliaryRoutes beside;
  private final ServerConnections connections;
  private final TokenQuotas quotas;
  private @Nullable HttpServer server;
  private @Nullable StreamRoutes routes;

  ServerVerticle(
      ServerSettings settings,
      Streams streams,
      ServerContext shared,
      AuxiliaryRoutes beside,
      ServerConnections connections,
      TokenQuotas quotas) {
    this.settings = settings;
    this.streams = streams;
    this.shared = shared;
    this.beside = beside;
    this.connections = connections;
    this.quotas = quotas;
  }

  @Override
  public Future<?> start() {
    HomeLoop loop = HomeLoop.here(context);
    Authorizer gate = new Authorizer(settings, quotas, shared.departure());
    StreamRoutes streamRoutes = new StreamRoutes(vertx, streams, settings.serving(), shared, loop);
    RequestBodies bodies = new RequestBodies(vertx, ServerApi.MAX_BODY_BYTES, shared.budget());
    ConnectionAdmission admission =
        new ConnectionAdmission(vertx, connections, names(), ServerApi.HEALTH_PATHS);
    RouteTable<RequestRoute> others = new RouteTable<>();
    new ServerApi(gate, admission, streams, loop, bodies, beside.admin()).addTo(others);
    beside.admin().ifPresent(admin -> admin.addTo(others, context, gate::admits, bodies));
    beside.page().ifPresent(page -> page.addTo(others));
    others.add(
        "GET, HEAD",
        MetricsRoute.PATH,
        (request, target, named) -> {
          if (gate.admits(request, AccessRight.READ, AccessRules.ANYTHING)) {
            beside.metrics().handle(request);
          }
        });
    RequestRouter router =
        new RequestRouter(gate, admission, streamRoutes, beside.reserved(), others);
    HttpServer listening =
        vertx
            .createHttpServer(options())
            .connectionHandler(PacedResponse::limit)
            .requestHandler(request -> PacedResponse.inTurn(shared.budget(), request, router))
            .invalidRequestHandler(router::refuse);
    server = listening;
    routes = streamRoutes;
    int port = settings.port() == 0 ? ANY_FREE_PORT : settings.port();
    return listening.listen(port, settings.host());
  }

  /** Host names under which the server accepts requests. */
  private Stream<String> names() {
    return Stream.concat(
        Stream.of(settings.host()),
        settings
            .subscriptions()
            .publicUrl()
            .map(url -> url.substring(url.indexOf("//") + 2))
            .stream());
  }

  private HttpServerOptions options() {
    // Readers that wait for data are silent for that long; other callers have no reason to be.
    Duration silence =
        settings.serving().longPoll().compareTo(settings.serving().sseReconnect()) > 0
            ? settings.serving().longPoll()
            : settings.serving().sseReconnect();
    return connections
        .options(settings.maxHeaderBytes())
        .setIdleTimeoutUnit(TimeUnit.SECONDS)
        .setIdleTimeout(Math.toIntExact(silence.toSeconds()) + IDLE_MARGIN_SECONDS);
  }

  int port() {
    HttpServer listening = server;
    return listening == null ? 0 : listening.actualPort();
  }

  /**
   * Accepts no new connections, releases waiting readers, and gives requests in progress the grace.
   */
  Future<Void> drain() {
    HttpServer listening = server;
    StreamRoutes open = routes;
    if (listening == null || open == null) {
      return Future.succeededFuture();
    }
    context.runOnContext(v -> open.stop());
    return listening.shutdown(settings.shutdown().grace());
  }
}

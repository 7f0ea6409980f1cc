package dev.semel.server.gateway;

import dev.semel.http.HttpIdempotency;
import dev.semel.server.http.ConnectionAdmission;
import dev.semel.server.http.ConnectionEnding;
import dev.semel.server.http.PacedResponse;
import dev.semel.server.http.ServerConnections;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One event loop's part of the gateway: wires its handlers together. */
final class GatewayVerticle extends VerticleBase {
  private static final long IDLE_MARGIN_SECONDS = 30;

  /** With -1, all event loops share one free port; with 0, each would get another one. */
  private static final int ANY_FREE_PORT = -1;

  private final GatewaySettings settings;
  private final HttpIdempotency idempotency;
  private final UpstreamClient service;
  private final GatewayCapacity capacity;
  private final GatewayHealth health;
  private final ServerConnections connections;
  private @Nullable HttpServer server;

  GatewayVerticle(
      GatewaySettings settings,
      HttpIdempotency idempotency,
      UpstreamClient service,
      GatewayCapacity capacity,
      GatewayHealth health,
      ServerConnections connections) {
    this.settings = settings;
    this.idempotency = idempotency;
    this.service = service;
    this.capacity = capacity;
    this.health = health;
    this.connections = connections;
  }

  @Override
  public Future<?> start() {
    HeaderRules heads = new HeaderRules(settings);
    ConnectionAdmission admission =
        new ConnectionAdmission(
            vertx, connections, Stream.of(settings.host()), GatewayHealth.PATHS);
    PassThrough passThrough = new PassThrough(vertx, service, heads, admission.rates()::excuse);
    RequestGuard guard = new RequestGuard(context, idempotency, capacity, service, heads);
    GatewayRouter entrance =
        new GatewayRouter(settings, admission, heads, health, passThrough, guard);
    HttpServer listening =
        vertx
            .createHttpServer(options())
            .connectionHandler(PacedResponse::limit)
            .requestHandler(request -> PacedResponse.inTurn(capacity.budget(), request, entrance))
            .invalidRequestHandler(ConnectionEnding::unreadable);
    server = listening;
    return listening.listen(
        settings.port() == 0 ? ANY_FREE_PORT : settings.port(), settings.host());
  }

  private HttpServerOptions options() {
    // A caller is silent while the upstream, or another request with its key, works.
    Duration silence = settings.limits().timeout().plus(settings.rules().policy().waitUpTo());
    return connections
        .options(settings.maxHeaderBytes())
        .setIdleTimeoutUnit(TimeUnit.SECONDS)
        .setIdleTimeout(Math.toIntExact(silence.toSeconds() + IDLE_MARGIN_SECONDS));
  }

  int port() {
    HttpServer listening = server;
    return listening == null ? 0 : listening.actualPort();
  }

  /** Accepts no new connections; requests in progress have the grace. */
  Future<Void> drain() {
    HttpServer listening = server;
    return listening == null
        ? Future.succeededFuture()
        : listening.shutdown(settings.shutdown().grace());
  }
}

package dev.semel.server.gateway;

import dev.semel.http.HttpIdempotency;
import dev.semel.server.http.Admission;
import dev.semel.server.http.Connections;
import dev.semel.server.http.PacedResponse;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One event loop's part of the gateway, wired together. */
final class GatewayFront extends VerticleBase {
  private static final long IDLE_MARGIN_SECONDS = 30;

  /** The same one for all loops; 0 would give each its own. */
  private static final int ANY_FREE_PORT = -1;

  private final GatewaySettings settings;
  private final HttpIdempotency idempotency;
  private final Service service;
  private final Capacity capacity;
  private final Health health;
  private final Connections connections;
  private @Nullable HttpServer server;

  GatewayFront(
      GatewaySettings settings,
      HttpIdempotency idempotency,
      Service service,
      Capacity capacity,
      Health health,
      Connections connections) {
    this.settings = settings;
    this.idempotency = idempotency;
    this.service = service;
    this.capacity = capacity;
    this.health = health;
    this.connections = connections;
  }

  @Override
  public Future<?> start() {
    Heads heads = new Heads(settings);
    Admission admission =
        new Admission(vertx, connections, Stream.of(settings.host()), Health.PATHS);
    PassThrough passThrough = new PassThrough(vertx, service, heads, admission.rates()::excuse);
    Guard guard = new Guard(context, idempotency, capacity, service, heads);
    Entrance entrance = new Entrance(settings, admission, heads, health, passThrough, guard);
    HttpServer listening =
        vertx
            .createHttpServer(options())
            .connectionHandler(PacedResponse::limit)
            .requestHandler(request -> PacedResponse.inTurn(capacity.budget(), request, entrance))
            .invalidRequestHandler(entrance::refuse);
    server = listening;
    return listening.listen(
        settings.port() == 0 ? ANY_FREE_PORT : settings.port(), settings.host());
  }

  private HttpServerOptions options() {
    // A caller is silent for as long as the upstream, or another one with its key, takes.
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

  /** No new connections; requests in progress have the grace. */
  Future<Void> drain() {
    HttpServer listening = server;
    return listening == null ? Future.succeededFuture() : listening.shutdown(settings.grace());
  }
}

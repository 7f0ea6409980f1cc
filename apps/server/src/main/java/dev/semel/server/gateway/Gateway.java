package dev.semel.server.gateway;

import dev.semel.event.ProcessEvents;
import dev.semel.event.SemelListener;
import dev.semel.http.HttpIdempotency;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.spi.Store;
import dev.semel.server.http.FileDescriptors;
import dev.semel.server.http.ServerConnections;
import dev.semel.server.metrics.WorkMetrics;
import io.vertx.core.Deployable;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * A reverse proxy that guards the requests of a service in any language, and runs in your process
 * what {@code semel gateway} runs as a command. The service need not know of idempotency keys. The
 * gateway serves from {@link #start} to {@link #close}. The caller owns the store, and closes it
 * after the gateway. Safe for all threads.
 *
 * <p>A crash leaves the keys of requests in progress in doubt once their leases end: nobody can
 * know whether the service finished them.
 */
public final class Gateway implements AutoCloseable {
  private static final long START_SECONDS = 30;

  /** Time after the grace, for closing connections and abandoning their requests. */
  private static final long CLOSE_SECONDS = 10;

  private final Idempotency idempotency;
  private final ProcessEvents.Listening processes;
  private final GatewaySettings settings;
  private final ServerConnections connections;
  private final Vertx vertx;
  private final UpstreamClient service;
  private final GatewayCapacity capacity;
  private final GatewayHealth health;
  private final HttpIdempotency http;
  private final List<GatewayVerticle> fronts = new CopyOnWriteArrayList<>();
  private final AtomicBoolean closed = new AtomicBoolean();

  private Gateway(GatewaySettings asked, Store store, Idempotency idempotency, WorkMetrics work) {
    FileDescriptors descriptors = FileDescriptors.now();
    GatewayLimits limits = asked.limits();
    int upstream = descriptors.upstream(limits.connections());
    this.settings = asked.withLimits(limits.withConnections(upstream, limits.queue()));
    this.connections = ServerConnections.of(settings.connections(), descriptors, upstream);
    this.vertx = connections.vertx(new VertxOptions().setEventLoopPoolSize(settings.eventLoops()));
    this.service = new UpstreamClient(vertx, settings);
    this.capacity = new GatewayCapacity(settings.limits());
    this.health = new GatewayHealth(store::now, connections, capacity.budget(), work);
    this.http = new HttpIdempotency(idempotency, settings.rules()).with(work);
    this.idempotency = idempotency;
    this.processes = ProcessEvents.listen(idempotency.listener());
  }

  /**
   * Starts a gateway, which listens when this returns.
   *
   * @param store keeps keys and answers
   * @throws UncheckedIOException it can't listen there, for example because another process does
   */
  public static Gateway start(GatewaySettings settings, Store store) {
    return start(settings, store, SemelListener.NONE);
  }

  /**
   * Starts a gateway, which listens when this returns.
   *
   * @param listener gets every decision, and the events of the process as a whole, beside the
   *     store's event log
   */
  public static Gateway start(GatewaySettings settings, Store store, SemelListener listener) {
    settings.check();
    WorkMetrics work = new WorkMetrics();
    Idempotency idempotency = new Idempotency(work.timing(store), work.and(listener));
    Gateway gateway;
    try {
      gateway = new Gateway(settings, store, idempotency, work);
    } catch (RuntimeException e) {
      idempotency.close();
      throw e;
    }
    try {
      gateway.listen();
    } catch (RuntimeException e) {
      gateway.close(Duration.ZERO);
      throw e;
    }
    return gateway;
  }

  private void listen() {
    capacity.budget().watch(vertx);
    settings.tls().pair().ifPresent(pair -> connections.secure(vertx, pair));
    Supplier<Deployable> front =
        () -> {
          GatewayVerticle made =
              new GatewayVerticle(settings, http, service, capacity, health, connections);
          fronts.add(made);
          return made;
        };
    await(
        vertx.deployVerticle(front, new DeploymentOptions().setInstances(settings.eventLoops())),
        START_SECONDS);
  }

  public int port() {
    return fronts.get(0).port();
  }

  /**
   * Announces the shutdown. The gateway still answers, but it is not ready any more and ends each
   * connection with its next answer, so that load balancers and callers choose other gateways
   * before {@link #close}.
   */
  public void retire() {
    health.departure().begin();
  }

  /**
   * Closes the gateway. It retires, keeps serving for {@link GatewaySettings#withDrain}, and then
   * gives requests in progress the grace, even if their callers left. It cuts off what is still
   * under way then, and leaves those keys in doubt. An interrupt of the calling thread cuts the
   * drain short.
   */
  @Override
  public void close() {
    close(settings.shutdown().drain());
  }

  /** Closes with another drain than that of the settings: none, for example, if a person waits. */
  public void close(Duration drain) {
    if (closed.getAndSet(true)) {
      return;
    }
    boolean interrupted = health.departure().begin(drain);
    try {
      closeAll();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void closeAll() {
    Duration grace = settings.shutdown().grace();
    long limit = grace.toSeconds() + CLOSE_SECONDS;
    long end = System.nanoTime() + grace.toNanos();
    try {
      await(Future.join(fronts.stream().map(GatewayVerticle::drain).toList()), limit);
      boolean unused = capacity.awaitEmpty(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
      await(service.close(), CLOSE_SECONDS);
      unused = capacity.awaitEmpty(Duration.ofSeconds(CLOSE_SECONDS));
    } finally {
      processes.close();
      idempotency.close();
      connections.close();
      await(vertx.close(), CLOSE_SECONDS);
    }
  }

  private <T> T await(Future<T> future, long seconds) {
    try {
      return future.await(seconds, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new IllegalStateException(
          "the gateway did not get on within %d s".formatted(seconds), e);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new UncheckedIOException(
          "the gateway can't listen on %s port %d: %s"
              .formatted(settings.host(), settings.port(), e.getMessage()),
          e instanceof IOException io ? io : new IOException(e));
    }
  }
}

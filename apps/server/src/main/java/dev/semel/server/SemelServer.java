package dev.semel.server;

import dev.semel.server.admin.AdminApi;
import dev.semel.server.admin.AdminBackend;
import dev.semel.server.http.FileDescriptors;
import dev.semel.server.http.LoopbackAddresses;
import dev.semel.server.http.MemoryBudget;
import dev.semel.server.http.ServerConnections;
import dev.semel.server.http.ShutdownState;
import dev.semel.server.metrics.MetricsRoute;
import dev.semel.server.page.PageRoute;
import dev.semel.server.stream.ServerContext;
import dev.semel.server.stream.StreamRoutes;
import dev.semel.server.stream.StreamWatcher;
import dev.semel.server.subscription.SubscriptionSettings;
import dev.semel.server.subscription.Subscriptions;
import dev.semel.stream.Streams;
import io.vertx.core.Deployable;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Streams, the admin API and the control center's page over HTTP. Listens from {@link #start} to
 * {@link #close}; the engine belongs to whoever opened it, and is closed by them, afterwards. Safe
 * for all threads.
 *
 * <p>A crash leaves behind what the engine promises; the server itself keeps nothing.
 */
public final class SemelServer implements AutoCloseable {
  private static final long START_SECONDS = 30;

  /** Beyond the grace, for closing connections. */
  private static final long CLOSE_SECONDS = 10;

  private final Vertx vertx;
  private final ServerSettings settings;
  private final ServerConnections connections;
  private final TokenQuotas quotas;
  private final Optional<AdminApi> admin;
  private final MemoryBudget budget;
  private final ShutdownState departure = new ShutdownState();
  private final List<ServerVerticle> fronts = new CopyOnWriteArrayList<>();
  private final AtomicBoolean closed = new AtomicBoolean();
  private @Nullable Subscriptions subscriptions;

  private SemelServer(ServerSettings settings, Optional<AdminApi> admin) {
    this.admin = admin;
    this.settings = settings;
    this.budget = new MemoryBudget(settings.serving().heldBytes());
    this.quotas = new TokenQuotas(settings.access().accounts());
    this.connections = ServerConnections.of(settings.connections(), FileDescriptors.now(), 0);
    this.vertx = connections.vertx(new VertxOptions().setEventLoopPoolSize(settings.eventLoops()));
  }

  /**
   * Listens when it returns.
   *
   * @throws UncheckedIOException it can't listen there, for example because someone else does
   */
  public static SemelServer start(ServerSettings settings, Streams streams) {
    return begin(settings, streams, Optional.empty(), Optional.empty());
  }

  /** The same with {@link MetricsRoute#PATH}. */
  public static SemelServer start(ServerSettings settings, Streams streams, MetricsRoute metrics) {
    return begin(settings, streams, Optional.empty(), Optional.of(metrics));
  }

  /** The same with the admin API before what is administered, which is closed by its owner too. */
  public static SemelServer start(
      ServerSettings settings, Streams streams, AdminBackend administration) {
    return begin(settings, streams, Optional.of(administration), Optional.empty());
  }

  /** The same with both. */
  public static SemelServer start(
      ServerSettings settings, Streams streams, AdminBackend administration, MetricsRoute metrics) {
    return begin(settings, streams, Optional.of(administration), Optional.of(metrics));
  }

  private static SemelServer begin(
      ServerSettings settings,
      Streams streams,
      Optional<AdminBackend> administration,
      Optional<MetricsRoute> metrics) {
    Authorizer.checkAddress(settings);
    SemelServer server =
        new SemelServer(
            settings, administration.map(given -> new AdminApi(given, ServerApi.ADDRESSES)));
    try {
      server.open(streams, metrics);
    } catch (RuntimeException e) {
      server.close();
      throw e;
    }
    return server;
  }

  /** A server that changes nothing has no subscriptions: they write down whom they woke. */
  private void open(Streams streams, Optional<MetricsRoute> metrics) {
    if (settings.readOnly()) {
      listen(streams, StreamWatcher.NONE, RequestRouter::nothing, metrics);
      return;
    }
    SubscriptionSettings served =
        settings
            .subscriptions()
            .withRoot(StreamRoutes.ROOT)
            .withLoopbackWebhooks(LoopbackAddresses.isAddress(settings.host()));
    Subscriptions open = await(Subscriptions.open(vertx, streams, served), START_SECONDS);
    subscriptions = open;
    listen(streams, open, open, metrics);
  }

  MemoryBudget budget() {
    return budget;
  }

  private void listen(
      Streams streams,
      StreamWatcher watcher,
      Handler<HttpServerRequest> reserved,
      Optional<MetricsRoute> metrics) {
    budget.watch(vertx);
    ServerContext shared = ServerContext.with(watcher, budget, departure);
    settings.tls().pair().ifPresent(pair -> connections.secure(vertx, pair));
    quotas.start(streams);
    Handler<HttpServerRequest> scraped =
        metrics
            .<Handler<HttpServerRequest>>map(
                given -> given.with(streams, shared).with(connections, budget))
            .orElse(RequestRouter::nothing);
    AuxiliaryRoutes beside =
        new AuxiliaryRoutes(reserved, admin, scraped, admin.map(there -> new PageRoute(budget)));
    Supplier<Deployable> front =
        () -> {
          ServerVerticle made =
              new ServerVerticle(settings, streams, shared, beside, connections, quotas);
          fronts.add(made);
          return made;
        };
    await(
        vertx.deployVerticle(front, new DeploymentOptions().setInstances(settings.eventLoops())),
        START_SECONDS);
    if (beside.page().isPresent()) {
      WarmUp.begin(vertx, settings, port());
    }
  }

  public int port() {
    return fronts.get(0).port();
  }

  /**
   * Goes on as before, but is no longer ready, and gives up each connection with its next answer:
   * so that load balancers and callers turn to others before {@link #close}.
   */
  public void retire() {
    departure.begin();
  }

  /** Lets requests in progress finish within the grace, and whoever waits for data go at once. */
  @Override
  public void close() {
    if (closed.getAndSet(true)) {
      return;
    }
    retire();
    long limit = settings.grace().toSeconds() + CLOSE_SECONDS;
    admin.ifPresent(AdminApi::close);
    List<Future<Void>> drained = fronts.stream().map(ServerVerticle::drain).toList();
    try {
      await(Future.join(drained), limit);
      Subscriptions open = subscriptions;
      if (open != null) {
        open.close();
      }
    } finally {
      quotas.close();
      connections.close();
      await(vertx.close(), CLOSE_SECONDS);
    }
  }

  private <T> T await(Future<T> future, long seconds) {
    try {
      return future.await(seconds, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new IllegalStateException(
          "the server did not get on within %d s".formatted(seconds), e);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new UncheckedIOException(
          "the server can't listen on %s port %d: %s"
              .formatted(settings.host(), settings.port(), e.getMessage()),
          e instanceof IOException io ? io : new IOException(e));
    }
  }
}

package dev.semel.server;

import dev.semel.InvalidInput;
import dev.semel.admin.AdminTargets;
import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.server.admin.AdminApi;
import dev.semel.server.admin.AdminBackend;
import dev.semel.server.backup.BackupMaker;
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
import dev.semel.stream.spi.Streams;
import io.vertx.core.Deployable;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A server for streams over HTTP that runs in your process what {@code semel serve} runs as a
 * command. With targets it also has the admin API, the control center's page, metrics, alerts,
 * webhooks and backups. It serves from {@link #start} to {@link #close}. The caller owns everything
 * in the backend, and closes it after the server. Safe for all threads.
 *
 * <p>Background threads remove expired streams and watch the targets.
 *
 * <p>The server keeps no state: after a crash, the engine's guarantees hold.
 */
public final class SemelServer implements AutoCloseable {
  private static final long START_SECONDS = 30;

  /** Time after the grace, for closing connections. */
  private static final long CLOSE_SECONDS = 10;

  private final Vertx vertx;
  private final ServerSettings settings;
  private final ServerConnections connections;
  private final TokenQuotas quotas;
  private final ServerWatch watch;
  private final Optional<AdminApi> admin;
  private final MemoryBudget budget;
  private final ShutdownState departure = new ShutdownState();
  private final List<ServerVerticle> fronts = new CopyOnWriteArrayList<>();
  private final AtomicBoolean closed = new AtomicBoolean();
  private @Nullable Subscriptions subscriptions;
  private @Nullable StreamSweeper sweeper;

  private SemelServer(ServerSettings settings, ServerBackend backend) {
    this.settings = settings;
    this.budget = new MemoryBudget(settings.serving().heldBytes());
    this.quotas = new TokenQuotas(settings.access().accounts());
    this.connections = ServerConnections.of(settings.connections(), FileDescriptors.now(), 0);
    this.vertx = connections.vertx(new VertxOptions().setEventLoopPoolSize(settings.eventLoops()));
    this.watch = ServerWatch.start(backend);
    this.admin =
        watch
            .targets()
            .map(targets -> withBackups(targets, backend))
            .map(targets -> new AdminBackend(targets, details(settings, backend.details())))
            .map(administration -> new AdminApi(administration, ServerApi.ADDRESSES));
  }

  /**
   * Starts a server, which listens when this returns.
   *
   * @throws InvalidInput the settings or the features of the backend make no sense
   * @throws UncheckedIOException it can't listen there, for example because another process does
   */
  public static SemelServer start(ServerSettings settings, ServerBackend backend) {
    Authorizer.checkAddress(settings);
    backend.check();
    SemelServer server = new SemelServer(settings, backend);
    try {
      server.open(backend.streams(), server.watch.metrics());
    } catch (RuntimeException e) {
      server.close(Duration.ZERO);
      throw e;
    }
    return server;
  }

  private static AdminTargets withBackups(AdminTargets targets, ServerBackend backend) {
    BackupMaker maker = BackupMaker.of(targets.store(), backend.streams());
    return backend
        .backups()
        .map(folder -> targets.withBackups(name -> maker.named(folder, name)))
        .orElse(targets);
  }

  /** The configuration that operators see. */
  private static JsonObject details(ServerSettings settings, JsonObject more) {
    JsonObjectBuilder shown =
        Json.object()
            .with("host", settings.host())
            .with("port", settings.port())
            .with("read_only", settings.readOnly())
            .with("tokens", !settings.access().isOpen())
            .with("tls", settings.tls().pair().isPresent())
            .with("long_poll_ms", settings.serving().longPoll().toMillis());
    more.members().forEach(shown::with);
    return shown.build();
  }

  /** A read-only server has no subscriptions, because they write each wake to the engine. */
  private void open(Streams streams, Optional<MetricsRoute> metrics) {
    if (settings.readOnly()) {
      listen(streams, StreamWatcher.NONE, RequestRouter::nothing, metrics);
    } else {
      SubscriptionSettings served =
          settings
              .subscriptions()
              .withRoot(StreamRoutes.ROOT)
              .withLoopbackWebhooks(LoopbackAddresses.isAddress(settings.host()));
      Subscriptions open = await(Subscriptions.open(vertx, streams, served), START_SECONDS);
      subscriptions = open;
      listen(streams, open, open, metrics);
    }
    sweeper = StreamSweeper.start(streams);
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
   * Announces the shutdown. The server still answers, but it is not ready any more and ends each
   * connection with its next answer, so that load balancers and callers choose other servers before
   * {@link #close}.
   */
  public void retire() {
    departure.begin();
  }

  /**
   * Closes the server. It retires, keeps serving for {@link ServerSettings#withDrain}, and then
   * gives requests in progress the grace; readers that wait for data are released at once. Then it
   * stops sweeping and watching. An interrupt of the calling thread cuts the drain short.
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
    boolean interrupted = departure.begin(drain);
    try {
      closeAll();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void closeAll() {
    long limit = settings.shutdown().grace().toSeconds() + CLOSE_SECONDS;
    admin.ifPresent(AdminApi::close);
    List<Future<Void>> drained = fronts.stream().map(ServerVerticle::drain).toList();
    try {
      await(Future.join(drained), limit);
      Subscriptions open = subscriptions;
      if (open != null) {
        open.close();
      }
    } finally {
      StreamSweeper sweeping = sweeper;
      if (sweeping != null) {
        sweeping.close();
      }
      watch.close();
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

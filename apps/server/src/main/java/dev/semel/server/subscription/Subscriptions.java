package dev.semel.server.subscription;

import dev.semel.StoreException;
import dev.semel.server.stream.StreamWatcher;
import dev.semel.server.subscription.internal.StreamCandidates;
import dev.semel.server.subscription.internal.StreamEngine;
import dev.semel.server.subscription.internal.StreamHints;
import dev.semel.server.subscription.internal.SubscriptionDriver;
import dev.semel.server.subscription.internal.SubscriptionService;
import dev.semel.server.subscription.internal.http.SubscriptionHandler;
import dev.semel.server.subscription.internal.http.SubscriptionRoute;
import dev.semel.server.subscription.internal.http.WebhookClient;
import dev.semel.server.subscription.internal.http.WebhookOutlet;
import dev.semel.stream.Offset;
import dev.semel.stream.StreamPath;
import dev.semel.stream.spi.Streams;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Wakes workers when streams have something for them: the protocol's reserved part of a server.
 *
 * <p>Guarantees: a wake is stored before any worker hears of it, and an acknowledgement or a claim
 * before it is answered. After any crash, work that is not acknowledged causes another wake; a
 * generation is never used twice and has one holder. A webhook may come more than once for the same
 * wake, which its {@code wake_id} shows.
 *
 * <p>Safe for many threads. State and keys live in the engine, in streams that no caller can reach:
 * anyone who can read the engine's files can sign as this server.
 */
public final class Subscriptions
    implements StreamWatcher, Handler<HttpServerRequest>, AutoCloseable {
  /** How long {@link #close} waits until pending decisions are written. */
  private static final Duration CLOSING = Duration.ofSeconds(10);

  private final Context context;
  private final SubscriptionDriver driver;
  private final StreamHints hints;
  private final SubscriptionService service;
  private final SubscriptionHandler reception;

  private Subscriptions(
      Context context,
      SubscriptionDriver driver,
      SubscriptionService service,
      SubscriptionHandler reception) {
    this.context = context;
    this.driver = driver;
    this.hints = driver.sightings().hints();
    this.service = service;
    this.reception = reception;
  }

  /** Loads the stored state, and takes up pending work. */
  public static Future<Subscriptions> open(
      Vertx vertx, Streams streams, SubscriptionSettings settings) {
    return open(vertx, streams, settings, steady(), WebhookOutlet.ofThisMachine());
  }

  /**
   * Goes on evenly from the time of day at its start, because leases must not jump with the clock.
   */
  private static InstantSource steady() {
    long start = System.currentTimeMillis();
    long nanos = System.nanoTime();
    return () -> Instant.ofEpochMilli(start + (System.nanoTime() - nanos) / 1_000_000);
  }

  /** Opens them with this clock and this outlet for webhooks. */
  static Future<Subscriptions> open(
      Vertx vertx,
      Streams streams,
      SubscriptionSettings settings,
      InstantSource clock,
      WebhookOutlet outlet) {
    Context context = vertx.getOrCreateContext();
    StreamEngine engine = new StreamEngine(streams, context);
    Promise<Subscriptions> opened = Promise.promise();
    context.runOnContext(
        go -> {
          WebhookClient webhooks = new WebhookClient(vertx, context, settings, outlet);
          SubscriptionDriver driver =
              new SubscriptionDriver(vertx, engine, webhooks, settings, clock);
          SubscriptionService service =
              new SubscriptionService(
                  driver, new StreamCandidates(engine, settings.limits().streamsPerSubscription()));
          Subscriptions subscriptions =
              new Subscriptions(
                  context,
                  driver,
                  service,
                  new SubscriptionHandler(vertx, context, service, settings, clock));
          driver
              .start()
              .onComplete(
                  done -> opened.complete(subscriptions),
                  failure -> driver.close().onComplete(end -> opened.fail(failure)));
        });
    return opened.future();
  }

  /**
   * The access that this request needs.
   *
   * @param below the path behind the reserved segment and its slash, still escaped
   */
  public static SubscriptionAccess admission(HttpServerRequest request, String below) {
    return SubscriptionRoute.admission(request.method().name(), below);
  }

  @Override
  public void handle(HttpServerRequest request) {
    reception.handle(request);
  }

  @Override
  public void created(StreamPath path, Offset tail) {
    hints.changed(path);
  }

  @Override
  public void appended(StreamPath path, Offset tail) {
    hints.changed(path);
  }

  @Override
  public void deleted(StreamPath path) {
    hints.changed(path);
  }

  /**
   * Draws a new key, which signs webhooks from now on.
   *
   * @return its id
   */
  public Future<String> rotateKey() {
    return onContext(service::rotate);
  }

  /** Accepts nothing more, and completes when all decisions are written. */
  public Future<Void> shutdown() {
    return onContext(driver::close);
  }

  private <T> Future<T> onContext(Supplier<Future<T>> call) {
    Promise<T> result = Promise.promise();
    context.runOnContext(go -> call.get().onComplete(result));
    return result.future();
  }

  /** Calls {@link #shutdown} and waits for it, except on an event loop, which must not wait. */
  @Override
  public void close() {
    Future<Void> done = shutdown();
    if (Context.isOnEventLoopThread()) {
      return;
    }
    try {
      done.toCompletionStage().toCompletableFuture().get(CLOSING.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      throw new StoreException("the last changes of subscriptions may not be written", e);
    }
  }
}

package dev.semel.server.metrics;

import dev.semel.alert.Alert;
import dev.semel.alert.AlertSources;
import dev.semel.loop.Platform;
import dev.semel.server.http.HeaderNames;
import dev.semel.server.http.MemoryBudget;
import dev.semel.server.http.PacedResponse;
import dev.semel.server.http.ServerConnections;
import dev.semel.server.stream.CallFailures;
import dev.semel.server.stream.ServerContext;
import dev.semel.stream.spi.Streams;
import dev.semel.webhook.WebhookCounts;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers scrapes on every event loop: with a reading of the last second, or with one that a thread
 * beside the loops makes for all waiting callers. Access was checked before. Safe for all threads.
 */
public final class MetricsRoute implements Handler<HttpServerRequest> {
  /** Path of the metrics. */
  public static final String PATH = "/metrics";

  /** How old an answer may be. */
  public static final Duration CACHED = Duration.ofSeconds(1);

  private static final CharSequence CONTENT_TYPE = HeaderNames.name(PrometheusText.CONTENT_TYPE);

  private final Platform platform;
  private final StoreMetrics metrics;
  private final MemoryBudget budget;
  private @Nullable CompletableFuture<String> last;
  private long begun;

  private MetricsRoute(Platform platform, StoreMetrics metrics, MemoryBudget budget) {
    this.platform = platform;
    this.budget = budget;
    this.metrics = metrics;
  }

  /** Adds the metrics of a server's own streams. */
  public MetricsRoute with(Streams streams, ServerContext shared) {
    return new MetricsRoute(
        platform,
        metrics.with(
            () ->
                streams
                    .counts()
                    .map(
                        counts ->
                            new StreamMetrics.Sample(
                                counts,
                                shared.liveReaders().get(),
                                shared.bytesOut().sum(),
                                shared.appendTimes()))),
        budget);
  }

  /**
   * Adds the metrics of callers' connections.
   *
   * @param held counts the bytes held for callers, including those of scrapes
   */
  public MetricsRoute with(ServerConnections connections, MemoryBudget held) {
    return new MetricsRoute(platform, metrics.with(connections, held), held);
  }

  /**
   * Creates a route with these sources.
   *
   * @param alerts the current alerts, such as {@link dev.semel.alert.AlertWatch#alerts}
   * @param webhooks one for each receiver
   */
  public static MetricsRoute of(
      Platform platform,
      AlertSources sources,
      Supplier<List<Alert>> alerts,
      Supplier<List<WebhookCounts>> webhooks) {
    return new MetricsRoute(
        platform,
        new StoreMetrics(
            platform,
            sources,
            new StoreMetrics.Own(alerts, webhooks, Optional::empty, Optional.empty())),
        new MemoryBudget(MemoryBudget.defaultBytes()));
  }

  @Override
  public void handle(HttpServerRequest request) {
    Future.fromCompletionStage(text(), Vertx.currentContext())
        .onComplete(text -> send(request, text), failure -> CallFailures.send(request, failure));
  }

  private void send(HttpServerRequest request, String text) {
    request
        .response()
        .putHeader(HeaderNames.CONTENT_TYPE, CONTENT_TYPE)
        .putHeader(HeaderNames.CACHE_CONTROL, HeaderNames.NO_STORE);
    if (request.method().equals(HttpMethod.HEAD)) {
      request.response().end();
    } else {
      PacedResponse.send(budget, request, Buffer.buffer(text));
    }
  }

  /** Never waits: concurrent callers share one reading. */
  synchronized CompletionStage<String> text() {
    CompletableFuture<String> known = last;
    if (known != null
        && (!known.isDone()
            || (!known.isCompletedExceptionally()
                && platform.nanos() - begun < CACHED.toNanos()))) {
      return known;
    }
    CompletableFuture<String> next = new CompletableFuture<>();
    last = next;
    begun = platform.nanos();
    platform.beside("semel-metrics", () -> read(next));
    return next;
  }

  private void read(CompletableFuture<String> to) {
    try {
      to.complete(metrics.scrape());
    } catch (RuntimeException | Error e) {
      to.completeExceptionally(e);
    }
  }
}

package dev.semel.server.gateway;

import dev.semel.StoreException;
import dev.semel.json.Json;
import dev.semel.loop.internal.Loop;
import dev.semel.server.http.HeaderNames;
import dev.semel.server.http.MemoryBudget;
import dev.semel.server.http.ProblemDocument;
import dev.semel.server.http.RequestRoute;
import dev.semel.server.http.RequestTarget;
import dev.semel.server.http.RouteTable;
import dev.semel.server.http.ServerConnections;
import dev.semel.server.http.ShutdownState;
import dev.semel.server.metrics.ConnectionMetrics;
import dev.semel.server.metrics.WorkMetrics;
import io.vertx.core.Context;
import io.vertx.core.http.HttpServerRequest;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Health and metrics of the gateway itself. All other paths belong to the upstream, so these lie
 * below one that no service uses. Shared by all event loops.
 */
final class GatewayHealth {
  static final String ROOT = "/.semel/";

  private static final String ALIVE = ROOT + "healthz";
  private static final String READY = ROOT + "readyz";
  private static final String METRICS = ROOT + "metrics";

  /** Health checks: the gateway answers them even at its limit of connections. */
  static final Set<String> PATHS = Set.of(ALIVE, READY);

  /** Limit of concurrent checks of the store; callers beyond it get the last result. */
  private static final int ASKING = 4;

  private static final ProblemDocument NOTHING =
      ProblemDocument.notFound(
          "the gateway has only %s, %s and %s".formatted(ALIVE, READY, METRICS));
  private static final System.Logger LOG = System.getLogger("dev.semel.server.gateway");

  private final Runnable store;
  private final ServerConnections connections;
  private final WorkMetrics work;
  private final MemoryBudget budget;
  private final AtomicInteger asking = new AtomicInteger();
  private final ShutdownState departure = new ShutdownState();
  private final RouteTable<RequestRoute> table =
      new RouteTable<RequestRoute>()
          .add("GET, HEAD", ALIVE, (request, target, named) -> answer(request, 200, "ok"))
          .add("GET, HEAD", READY, (request, target, named) -> ready(request))
          .add("GET, HEAD", METRICS, (request, target, named) -> metrics(request));
  private volatile boolean ready = true;

  /**
   * @param store makes any call to the store; throws when that fails
   */
  GatewayHealth(
      Runnable store, ServerConnections connections, MemoryBudget budget, WorkMetrics work) {
    this.budget = budget;
    this.store = store;
    this.connections = connections;
    this.work = work;
  }

  ShutdownState departure() {
    return departure;
  }

  void handle(HttpServerRequest request, RequestTarget target) {
    RequestRoute.answer(table, request, target, NOTHING);
  }

  private void ready(HttpServerRequest request) {
    if (departure.begun()) {
      answer(request, 503, "stopping");
      return;
    }
    if (connections.full()) {
      answer(request, 503, "the limit of connections is reached");
      return;
    }
    if (asking.incrementAndGet() > ASKING) {
      asking.decrementAndGet();
      answer(request);
      return;
    }
    Context loop = GatewayReplies.loop();
    Loop.beside(
        "semel-ready",
        () -> {
          try {
            store.run();
            ready = true;
          } catch (StoreException e) {
            ready = false;
          } catch (RuntimeException e) {
            ready = false;
            LOG.log(System.Logger.Level.ERROR, "the store failed for a reason of our own", e);
          } finally {
            asking.decrementAndGet();
          }
          loop.runOnContext(v -> answer(request));
        });
  }

  /**
   * Answers with metrics of connections, held bytes, the certificate and the duration of work; the
   * store has the numbers of requests.
   */
  private void metrics(HttpServerRequest request) {
    request
        .response()
        .putHeader(HeaderNames.CONTENT_TYPE, ConnectionMetrics.CONTENT_TYPE)
        .putHeader(HeaderNames.CACHE_CONTROL, HeaderNames.NO_STORE)
        .end(ConnectionMetrics.text(connections, budget, work));
  }

  private void answer(HttpServerRequest request) {
    answer(request, ready ? 200 : 503, ready ? "ready" : "the store can't be reached");
  }

  private static void answer(HttpServerRequest request, int status, String text) {
    request
        .response()
        .setStatusCode(status)
        .putHeader(HeaderNames.CONTENT_TYPE, HeaderNames.JSON)
        .putHeader(HeaderNames.CACHE_CONTROL, HeaderNames.NO_STORE)
        .end(Json.object().with("status", text).write());
  }
}

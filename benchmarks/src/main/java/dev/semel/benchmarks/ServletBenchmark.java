package dev.semel.benchmarks;

import dev.semel.event.SemelListener;
import dev.semel.http.HttpIdempotency;
import dev.semel.http.HttpRules;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.MemoryStore;
import dev.semel.servlet.IdempotencyFilter;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.Optional;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/**
 * A small payment behind the servlet filter, on a store in memory, against the same servlet on the
 * same Jetty without the filter. Servers and load share the machine and the process.
 */
final class ServletBenchmark {
  private static final int CALLERS = 32;
  private static final int SERVER_THREADS = 64;
  private static final int MAX_RECORDS = 4_000_000;

  private ServletBenchmark() {}

  static void run(Findings out) throws Exception {
    try (MemoryStore store = new MemoryStore(InstantSource.system(), MAX_RECORDS);
        Idempotency idempotency = new Idempotency(store, SemelListener.NONE)) {
      Filter filter =
          new IdempotencyFilter(new HttpIdempotency(idempotency, HttpRules.of("payment")));
      Jetty bare = Jetty.start(Optional.empty());
      Jetty guarded = Jetty.start(Optional.of(filter));
      try (bare;
          guarded;
          KeepAliveCallers direct = new KeepAliveCallers(bare.port());
          KeepAliveCallers filtered = new KeepAliveCallers(guarded.port())) {
        Race race =
            new Race(
                CALLERS,
                Thread.ofVirtual().name("bench-", 0).factory(),
                Duration.ofSeconds(3),
                out);
        Race.Contender limit = n -> direct.pay("");
        race.run("filter, without a key", n -> filtered.pay(""), "bare servlet", limit, 0.9);
        race.run(
            "filter, a new key each", n -> filtered.pay("key-" + n), "bare servlet", limit, 0.7);
        race.run("filter, the same key", n -> filtered.pay("same"), "bare servlet", limit, 0.8);
      }
    }
  }

  private static final class Payments extends HttpServlet {
    private static final long serialVersionUID = 1L;
    private static final byte[] ANSWER = "{\"payment\":1}".getBytes(StandardCharsets.UTF_8);

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      request.getInputStream().readAllBytes();
      response.setStatus(201);
      response.setContentType("application/json");
      response.setHeader("Location", "/payments/1");
      response.setContentLength(ANSWER.length);
      response.getOutputStream().write(ANSWER);
    }
  }

  private record Jetty(Server server, ServerConnector connector) implements AutoCloseable {
    static Jetty start(Optional<Filter> filter) throws Exception {
      Server server = new Server(new QueuedThreadPool(SERVER_THREADS));
      ServerConnector connector = new ServerConnector(server);
      connector.setHost("127.0.0.1");
      server.addConnector(connector);
      ServletContextHandler context = new ServletContextHandler();
      filter.ifPresent(
          f -> context.addFilter(new FilterHolder(f), "/*", EnumSet.of(DispatcherType.REQUEST)));
      context.addServlet(new ServletHolder(new Payments()), "/payments");
      server.setHandler(context);
      server.start();
      return new Jetty(server, connector);
    }

    int port() {
      return connector.getLocalPort();
    }

    @Override
    public void close() {
      try {
        server.stop();
      } catch (Exception e) {
        throw new IllegalStateException("Jetty did not stop", e);
      }
    }
  }
}

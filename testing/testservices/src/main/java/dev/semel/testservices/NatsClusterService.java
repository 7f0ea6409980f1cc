package dev.semel.testservices;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A cluster of three NATS servers, so that a stream may have three replicas. One thread at a time
 * may kill and restart them; {@link #close()} deletes everything.
 */
public final class NatsClusterService implements AutoCloseable {
  private static final int NODES = 3;
  private static final Duration READY_LIMIT = Duration.ofSeconds(60);
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(2);

  private final Map<String, NatsService> nodes = new LinkedHashMap<>();
  private final Map<String, Integer> monitors = new LinkedHashMap<>();

  private NatsClusterService() {}

  /** Starts the servers, and waits until all three report that they are healthy. */
  public static NatsClusterService start() {
    for (int attempt = 1; ; attempt++) {
      NatsClusterService cluster = new NatsClusterService();
      try {
        cluster.launch();
        cluster.awaitReady();
        return cluster;
      } catch (RuntimeException e) {
        cluster.close();
        if (attempt == FreePorts.MAX_START_ATTEMPTS
            || !FreePorts.wasTaken(String.valueOf(e.getMessage()))) {
          throw e;
        }
      }
    }
  }

  private void launch() {
    List<Integer> routes = IntStream.range(0, NODES).mapToObj(i -> FreePorts.free()).toList();
    String all =
        routes.stream()
            .map(port -> "\"nats-route://%s:%d\"".formatted(FreePorts.HOST, port))
            .collect(Collectors.joining(", "));
    for (int i = 0; i < NODES; i++) {
      String name = "n" + (i + 1);
      int monitor = FreePorts.free();
      monitors.put(name, monitor);
      nodes.put(
          name,
          NatsService.start(
              "server_name: " + name,
              "http: \"%s:%d\"".formatted(FreePorts.HOST, monitor),
              "cluster { name: semel, listen: \"%s:%d\", routes: [%s] }"
                  .formatted(FreePorts.HOST, routes.get(i), all)));
    }
  }

  /** Waits until every server is up and has caught up. */
  public void awaitReady() {
    try (HttpClient http = HttpClient.newBuilder().connectTimeout(ANSWER_LIMIT).build()) {
      Map<String, Integer> waiting = new LinkedHashMap<>(monitors);
      ConditionWait.holds(
          READY_LIMIT,
          () -> {
            waiting.values().removeIf(port -> isWell(http, port));
            return waiting.isEmpty();
          });
      if (!waiting.isEmpty()) {
        throw new IllegalStateException(
            "not within %d s: %s of the NATS cluster are well"
                .formatted(READY_LIMIT.toSeconds(), waiting.keySet()));
      }
    }
  }

  private static boolean isWell(HttpClient http, int port) {
    URI health = URI.create("http://%s:%d/healthz".formatted(FreePorts.HOST, port));
    try {
      return http.send(
                  HttpRequest.newBuilder(health).timeout(ANSWER_LIMIT).build(),
                  HttpResponse.BodyHandlers.discarding())
              .statusCode()
          == 200;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** All servers' URLs, separated by commas. */
  public String urls() {
    return nodes.values().stream().map(NatsService::url).collect(Collectors.joining(","));
  }

  /** The server with this name, as in a stream's information. */
  public NatsService node(String name) {
    NatsService node = nodes.get(name);
    if (node == null) {
      throw new IllegalArgumentException("there is no server " + name + " among " + nodes.keySet());
    }
    return node;
  }

  @Override
  public void close() {
    nodes.values().forEach(NatsService::close);
  }
}

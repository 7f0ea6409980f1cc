package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.semel.testservices.PostgresService;
import dev.semel.testservices.RedisService;
import dev.semel.testservices.SharedServices;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two gateways before one service with one store, terminated and started again in turn while
 * callers send: each effect takes place once, and every caller gets its answer.
 */
@EnabledOnOs({OS.LINUX, OS.MAC})
@ExtendWith(SharedServices.class)
class RollingGatewaysTest {
  private static final int CALLERS = 8;

  /** Limit of the service's time, so that a request is always under way. */
  private static final int LONGEST_WORK_MILLIS = 300;

  /** One of this many keys is sent again after its answer. */
  private static final int REPEATED = 4;

  @TempDir Path folder;

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final Map<String, AtomicInteger> effects = new ConcurrentHashMap<>();
  private final Map<String, AtomicLong> retried = new ConcurrentHashMap<>();
  private final AtomicLong keys = new AtomicLong();
  private volatile boolean stopping;

  private TestReporter report;

  @BeforeEach
  void reportTo(TestReporter report) {
    this.report = report;
  }

  @Test
  @Tag("proof")
  void whoeverHeedsReadinessIsNeverRefused(PostgresService postgres) throws Exception {
    run(1, postgres.freshDatabase().url(), "2s", true);
    assertThat(retried).isEmpty();
  }

  @Test
  @Tag("proof")
  void soItIsOverManyRestarts(PostgresService postgres) throws Exception {
    run(4, postgres.freshDatabase().url(), "2s", true);
    assertThat(retried).isEmpty();
  }

  /** Callers that ignore readiness have to try again; no effect happens twice. */
  @Test
  @Tag("proof")
  void whoeverHeedsNothingTriesAgain(PostgresService postgres) throws Exception {
    run(4, postgres.freshDatabase().url(), "1ms", false);
    assertThat(retried).as("else there was nothing to bear").isNotEmpty();
  }

  @Test
  @Tag("proof")
  void soItIsOnRedis(RedisService redis) throws Exception {
    run(4, redis.url() + "/7", "1ms", false);
    assertThat(retried).as("else there was nothing to bear").isNotEmpty();
  }

  private void run(int rounds, String store, String drain, boolean heeding) throws Exception {
    HttpServer service =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    service.createContext("/", this::charge);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      service.setExecutor(threads);
      service.start();
      String upstream = "http://127.0.0.1:" + service.getAddress().getPort();
      try (Fleet fleet =
          new Fleet(
              folder,
              2,
              "/.semel/readyz",
              "gateway",
              "--upstream",
              upstream,
              "--store",
              store,
              "--drain",
              drain)) {
        Supplier<String> where = heeding ? fleet::next : fleet::nextOfAll;
        List<Future<?>> callers = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
          callers.add(threads.submit(() -> call(where)));
        }
        try {
          for (int round = 0; round < rounds; round++) {
            fleet.restartInTurn();
          }
        } finally {
          stopping = true;
        }
        for (Future<?> caller : callers) {
          caller.get(1, TimeUnit.MINUTES);
        }
      }
      assertThat(effects).hasSize(Math.toIntExact(keys.get()));
      assertThat(effects.values()).allMatch(times -> times.get() == 1);
      report.publishEntry(Map.of("restarts", "" + rounds * 2, "keys", "" + keys.get()));
      System.out.printf(
          "%d restarts of gateways: %,d keys, each took effect once; tried again for %s%n",
          rounds * 2, keys.get(), retried);
    } finally {
      service.stop(0);
    }
  }

  /** The service: it ignores keys, but counts its calls for each. */
  private void charge(HttpExchange exchange) throws IOException {
    try (exchange) {
      String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
      exchange.getRequestBody().readAllBytes();
      int times = effects.computeIfAbsent(key, k -> new AtomicInteger()).incrementAndGet();
      LockSupport.parkNanos(
          TimeUnit.MILLISECONDS.toNanos(ThreadLocalRandom.current().nextInt(LONGEST_WORK_MILLIS)));
      byte[] body = (key + " charged " + times).getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(201, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  /** Sends key after key, each until it has its answer. */
  private void call(Supplier<String> where) {
    while (!stopping) {
      long number = keys.getAndIncrement();
      for (int i = 0; i <= (number % REPEATED == 0 ? 1 : 0); i++) {
        while (!answered(where.get(), "key-" + number)) {
          LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10)); // as the answer requested
        }
      }
    }
  }

  private boolean answered(String url, String key) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url + "/charge"))
            .timeout(Duration.ofMinutes(1))
            .header("Idempotency-Key", key)
            .POST(BodyPublishers.ofString("amount=10"))
            .build();
    try {
      HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
      if (answer.statusCode() == 201) {
        assertThat(answer.body()).isEqualTo(key + " charged 1");
        return true;
      }
      boolean retryable =
          answer.statusCode() == 503
              || (answer.statusCode() == 409 && answer.body().contains("request-in-flight"));
      assertThat(retryable).as("%d: %s", answer.statusCode(), answer.body()).isTrue();
      return again(answer.statusCode() == 503 ? "503" : "in flight");
    } catch (IOException e) {
      return again(e.getClass().getSimpleName());
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private boolean again(String why) {
    retried.computeIfAbsent(why, w -> new AtomicLong()).incrementAndGet();
    return false;
  }
}

package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.testservices.NatsService;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three servers before one NATS, terminated and started again in turn while producers write and
 * readers follow: nothing is lost or stored twice.
 */
@EnabledOnOs({OS.LINUX, OS.MAC})
class RollingServersTest {
  private static final int PRODUCERS = 4;
  private static final String STREAM = "/v1/stream/lines";

  @TempDir Path folder;

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private TestReporter report;

  @BeforeEach
  void reportTo(TestReporter report) {
    this.report = report;
  }

  @Test
  @Tag("proof")
  void whoeverHeedsReadinessIsNeverRefused() throws Exception {
    RollingLoad load = run(1, "5s", true); // so long that no busy machine is slower
    assertThat(load.troubles()).as(load.toString()).isZero();
  }

  @Test
  @Tag("proof")
  void soItIsOverManyRestarts() throws Exception {
    RollingLoad load = run(3, "2s", true);
    assertThat(load.troubles()).as(load.toString()).isZero();
  }

  /** Callers that ignore readiness are refused now and then, and lose nothing. */
  @Test
  @Tag("proof")
  void whoeverHeedsNothingIsServedByTheNextOne() throws Exception {
    RollingLoad load = run(3, "1ms", false);
    assertThat(load.troubles()).as("else there was nothing to bear").isPositive();
  }

  private RollingLoad run(int rounds, String drain, boolean heeding) throws Exception {
    try (NatsService nats = NatsService.start();
        Fleet fleet =
            new Fleet(
                folder,
                3,
                "/readyz",
                "serve",
                "--streams",
                nats.url(),
                "--drain",
                drain,
                "--long-poll",
                "3s");
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      HttpRequest create =
          HttpRequest.newBuilder(URI.create(fleet.next() + STREAM))
              .header("Content-Type", "text/plain")
              .PUT(BodyPublishers.noBody())
              .build();
      assertThat(client.send(create, BodyHandlers.discarding()).statusCode()).isEqualTo(201);
      Supplier<String> where = heeding ? fleet::next : fleet::nextOfAll;
      RollingLoad load = new RollingLoad(where, STREAM);
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < PRODUCERS; i++) {
        String id = Character.toString('a' + i);
        running.add(threads.submit(() -> load.produce(id)));
      }
      Future<String> polled = threads.submit(load::poll);
      Future<String> followed = threads.submit(load::follow);
      try {
        for (int round = 0; round < rounds; round++) {
          fleet.restartInTurn();
        }
      } catch (Exception | AssertionError e) {
        threads.shutdownNow(); // readers would follow a stream forever that is never closed
        throw e;
      } finally {
        load.stop();
      }
      for (Future<?> each : running) {
        each.get(1, TimeUnit.MINUTES);
      }
      close(where.get());
      String all = polled.get(1, TimeUnit.MINUTES);
      assertThat(followed.get(1, TimeUnit.MINUTES)).isEqualTo(all);
      load.check(all);
      for (String url : fleet.urls()) {
        assertThat(load.read(url)).isEqualTo(all);
      }
      report.publishEntry("restarts", "" + rounds * fleet.size());
      System.out.printf("%d restarts of servers: %s%n", rounds * fleet.size(), load);
      return load;
    }
  }

  /** Tells readers that they have everything. */
  private void close(String url) throws Exception {
    HttpResponse<Void> closed =
        client.send(
            HttpRequest.newBuilder(URI.create(url + STREAM))
                .header("Stream-Closed", "true")
                .POST(BodyPublishers.noBody())
                .build(),
            BodyHandlers.discarding());
    assertThat(closed.statusCode()).isEqualTo(204);
  }
}

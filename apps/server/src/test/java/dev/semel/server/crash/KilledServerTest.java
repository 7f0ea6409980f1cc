package dev.semel.server.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.json.Json;
import dev.semel.junit.proof.ProofRun;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;

/**
 * Producers keep batches in flight, hang up and send again, while the server is killed and stopped:
 * every batch is there once, in its producer's order.
 */
final class KilledServerTest {
  private static final long SEED = 20_261_116;
  private static final String LINES = "lines";
  private static final String EVENTS = "events";
  private static final Pattern LINE = Pattern.compile("([a-z]):(\\d+)\n");
  private static final Pattern EVENT = Pattern.compile("\\{\"p\":\"([a-z])\",\"n\":(\\d+)\\}");

  @TempDir Path folder;

  private final HttpClient client = HttpClient.newHttpClient();

  @Test
  @Tag("service")
  void everyBatchIsThereOnce(TestReporter report) throws Exception {
    run(report, 10, SEED);
  }

  @Test
  @Tag("proof")
  void soItIsOverManyKills(TestReporter report) throws Exception {
    run(report, ProofRun.volume(200, 2_000), ProofRun.seed());
  }

  private void run(TestReporter report, int rounds, long seed) throws Exception {
    int stops = rounds / 5;
    report.publishEntry(
        Map.of("seed", "" + seed, "kills", "" + (rounds - stops), "stops", "" + stops));
    Random random = new Random(seed);
    PipelinedProducer.Tally tally = new PipelinedProducer.Tally();
    Map<String, PipelinedProducer> producers = new HashMap<>();
    try (CrashingServer server = new CrashingServer(folder);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      create(server, LINES, "text/plain");
      create(server, EVENTS, "application/json");
      for (String id : List.of("a", "b", "c")) {
        producers.put(id, lines(server, id, random.nextLong(), tally));
      }
      for (String id : List.of("x", "y")) {
        producers.put(id, events(server, id, random.nextLong(), tally));
      }
      List<Future<?>> running = new ArrayList<>();
      producers.values().forEach(producer -> running.add(threads.submit(producer)));
      for (int round = 0; round < rounds; round++) {
        until(running, tally, tally.acknowledged.get() + 100 + random.nextInt(1_500));
        if (round % 5 == 4) {
          pause(server, running, tally);
        } else {
          server.killAndRestart();
        }
      }
      producers.values().forEach(PipelinedProducer::stop);
      for (Future<?> each : running) {
        each.get(2, TimeUnit.MINUTES);
      }
      check(server, producers);
    }
    System.out.printf(
        "%d rounds: %d batches acknowledged, %d of them sent again, %d connections lost, %d timeouts%n",
        rounds,
        tally.acknowledged.get(),
        tally.duplicates.get(),
        tally.lostConnections.get(),
        tally.timeouts.get());
    report.publishEntry("appends", "" + tally.acknowledged.get());
    assertThat(tally.duplicates.get()).as("batches that had to be recognised").isPositive();
    assertThat(tally.lostConnections.get()).isPositive();
  }

  private void create(CrashingServer server, String path, String type) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(uri(server, path))
            .header("Content-Type", type)
            .PUT(BodyPublishers.noBody())
            .build();
    assertThat(client.send(request, BodyHandlers.discarding()).statusCode()).isEqualTo(201);
  }

  private static URI uri(CrashingServer server, String path) throws InterruptedException {
    return URI.create("http://127.0.0.1:%d/v1/stream/%s".formatted(server.port(), path));
  }

  private static PipelinedProducer lines(
      CrashingServer server, String id, long seed, PipelinedProducer.Tally tally) {
    return new PipelinedProducer(
        server, LINES, "text/plain", id, seq -> id + ":" + seq + "\n", seed, tally);
  }

  private static PipelinedProducer events(
      CrashingServer server, String id, long seed, PipelinedProducer.Tally tally) {
    return new PipelinedProducer(
        server,
        EVENTS,
        "application/json",
        id,
        seq ->
            "[{\"p\":\"%s\",\"n\":%d},{\"p\":\"%s\",\"n\":%d}]"
                .formatted(id, 2 * seq, id, 2 * seq + 1),
        seed,
        tally);
  }

  private static void until(
      List<Future<?>> running, PipelinedProducer.Tally tally, long acknowledged) throws Exception {
    while (tally.acknowledged.get() < acknowledged) {
      for (Future<?> each : running) {
        if (each.isDone()) {
          each.get(); // it failed, and says why
        }
      }
      LockSupport.parkNanos(1_000_000);
    }
  }

  /** Pauses the server for longer than its clients wait. */
  private static void pause(
      CrashingServer server, List<Future<?>> running, PipelinedProducer.Tally tally)
      throws Exception {
    long before = tally.timeouts.get();
    server.child().pause();
    while (tally.timeouts.get() == before) {
      for (Future<?> each : running) {
        assertThat(each.isDone()).isFalse();
      }
      LockSupport.parkNanos(1_000_000);
    }
    server.child().resume();
  }

  private void check(CrashingServer server, Map<String, PipelinedProducer> producers)
      throws Exception {
    Map<String, List<Long>> seen = new HashMap<>();
    collect(LINE.matcher(read(server, LINES)), seen);
    collect(EVENT.matcher(read(server, EVENTS)), seen);
    producers.forEach(
        (id, producer) -> {
          List<Long> numbers = seen.getOrDefault(id, List.of());
          long messages = producer.acknowledged() * (id.compareTo("x") >= 0 ? 2 : 1);
          for (int i = 0; i < numbers.size(); i++) {
            assertThat(numbers.get(i)).as("message %d of %s", i, id).isEqualTo(i);
          }
          assertThat(numbers).as("messages of %s", id).hasSize((int) messages);
        });
  }

  private static void collect(Matcher matcher, Map<String, List<Long>> seen) {
    while (matcher.find()) {
      seen.computeIfAbsent(matcher.group(1), k -> new ArrayList<>())
          .add(Long.parseLong(matcher.group(2)));
    }
  }

  /** The whole stream; each JSON piece must be valid. */
  private String read(CrashingServer server, String path) throws Exception {
    StringBuilder all = new StringBuilder();
    String offset = "-1";
    while (true) {
      HttpResponse<String> response =
          client.send(
              HttpRequest.newBuilder(URI.create(uri(server, path) + "?offset=" + offset)).build(),
              BodyHandlers.ofString());
      assertThat(response.statusCode()).isEqualTo(200);
      if (path.equals(EVENTS)) {
        Json.parse(response.body());
      }
      all.append(response.body());
      offset = response.headers().firstValue("Stream-Next-Offset").orElseThrow();
      if (response.headers().firstValue("Stream-Up-To-Date").isPresent()) {
        return all.toString();
      }
    }
  }
}

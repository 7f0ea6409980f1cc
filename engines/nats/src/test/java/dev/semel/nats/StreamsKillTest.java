package dev.semel.nats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.junit.proof.ProofRun;
import dev.semel.testservices.NatsClusterService;
import io.nats.client.Connection;
import io.nats.client.Nats;
import io.nats.client.Options;
import io.nats.client.api.ClusterInfo;
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
import java.util.Objects;
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
 * Kills three servers in turn, on a cluster of three NATS servers, while producers write: no
 * acknowledged entry is lost, and none is there twice.
 */
@SuppressWarnings("try") // interrupting a connection while it closes is harmless
final class StreamsKillTest {
  private static final int SERVERS = 3;
  private static final String PATH = "lines";
  private static final Pattern LINE = Pattern.compile("([a-z]):(\\d+)\n");

  @TempDir Path folder;

  private final HttpClient client = HttpClient.newHttpClient();

  @Test
  @Tag("proof")
  void everyBatchIsThereOnce(TestReporter report) throws Exception {
    run(report, 2);
  }

  @Test
  @Tag("proof")
  void soItIsOverManyKills(TestReporter report) throws Exception {
    run(report, ProofRun.volume(40, 400));
  }

  private void run(TestReporter report, int rounds) throws Exception {
    long seed = ProofRun.seed();
    report.publishEntry(Map.of("seed", "" + seed, "kills", "" + rounds));
    Random random = new Random(seed);
    StubbornProducer.Tally tally = new StubbornProducer.Tally();
    List<KilledStreamsServer> servers = new ArrayList<>();
    try (NatsClusterService nats = NatsClusterService.start();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      String url = nats.urls() + "?replicas=3";
      for (int i = 0; i < SERVERS; i++) {
        servers.add(new KilledStreamsServer(folder, "server" + i, url));
      }
      create(servers.get(0).port());
      Map<String, StubbornProducer> producers = new HashMap<>();
      for (String id : List.of("a", "b", "c", "d")) {
        producers.put(id, new StubbornProducer(servers, PATH, id, random.nextLong(), tally));
      }
      List<Future<?>> running = new ArrayList<>();
      producers.values().forEach(producer -> running.add(threads.submit(producer)));
      for (int round = 0; round < rounds; round++) {
        until(running, tally, tally.acknowledged.get() + 20 + random.nextInt(100));
        if (round % 2 == 0) {
          String node = round % 4 == 0 ? leader(nats.urls()) : "n" + (1 + random.nextInt(3));
          nats.node(node).restart();
          nats.awaitReady();
        } else {
          servers.get(random.nextInt(SERVERS)).killAndRestart();
        }
      }
      until(running, tally, tally.acknowledged.get() + 20);
      producers.values().forEach(StubbornProducer::stop);
      for (Future<?> each : running) {
        each.get(2, TimeUnit.MINUTES);
      }
      for (KilledStreamsServer server : servers) {
        check(read(server.port()), producers);
      }
    } finally {
      servers.forEach(KilledStreamsServer::close);
    }
    System.out.printf(
        "%d rounds: %d batches acknowledged, %d of them known already, %d failures%n",
        rounds, tally.acknowledged.get(), tally.duplicates.get(), tally.failures.get());
    report.publishEntry("appends", "" + tally.acknowledged.get());
    assertThat(tally.failures.get()).isPositive();
  }

  private void create(int port) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(uri(port, ""))
            .header("Content-Type", "text/plain")
            .PUT(BodyPublishers.noBody())
            .build();
    assertThat(client.send(request, BodyHandlers.discarding()).statusCode()).isEqualTo(201);
  }

  private static URI uri(int port, String query) {
    return URI.create("http://127.0.0.1:%d/v1/stream/%s%s".formatted(port, PATH, query));
  }

  private static String leader(String urls) throws Exception {
    Options options = new Options.Builder().servers(urls.split(",", -1)).build();
    try (Connection connection = Nats.connect(options)) {
      ClusterInfo cluster =
          connection
              .jetStreamManagement()
              .getStreamInfo(StreamsSettings.DEFAULT_NAME)
              .getClusterInfo();
      return Objects.requireNonNull(Objects.requireNonNull(cluster).getLeader());
    }
  }

  private static void until(
      List<Future<?>> running, StubbornProducer.Tally tally, long acknowledged) throws Exception {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(3);
    while (tally.acknowledged.get() < acknowledged) {
      assertThat(System.nanoTime()).as("someone gets on").isLessThan(end);
      for (Future<?> each : running) {
        if (each.isDone()) {
          each.get(); // it failed with a reason
        }
      }
      LockSupport.parkNanos(1_000_000);
    }
  }

  private static void check(String all, Map<String, StubbornProducer> producers) {
    Map<String, List<Long>> seen = new HashMap<>();
    Matcher lines = LINE.matcher(all);
    while (lines.find()) {
      seen.computeIfAbsent(lines.group(1), k -> new ArrayList<>())
          .add(Long.parseLong(lines.group(2)));
    }
    producers.forEach(
        (id, producer) -> {
          List<Long> numbers = seen.getOrDefault(id, List.of());
          for (int i = 0; i < numbers.size(); i++) {
            assertThat(numbers.get(i)).as("message %d of %s", i, id).isEqualTo(i);
          }
          assertThat(numbers).as("messages of %s", id).hasSize((int) producer.acknowledged());
        });
  }

  private String read(int port) throws Exception {
    StringBuilder all = new StringBuilder();
    String offset = "-1";
    while (true) {
      HttpResponse<String> response =
          client.send(
              HttpRequest.newBuilder(uri(port, "?offset=" + offset)).build(),
              BodyHandlers.ofString());
      assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
      all.append(response.body());
      offset = response.headers().firstValue("Stream-Next-Offset").orElseThrow();
      if (response.headers().firstValue("Stream-Up-To-Date").isPresent()) {
        return all.toString();
      }
    }
  }
}

package dev.semel.nats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.junit.Patience;
import dev.semel.junit.proof.ProofRun;
import dev.semel.server.SemelServer;
import dev.semel.server.ServerBackend;
import dev.semel.server.ServerSettings;
import dev.semel.stream.SharedStreams;
import dev.semel.testservices.NatsClusterService;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/** Three servers in front of a cluster of three NATS servers. */
final class StreamsRaceTest {
  private static final int WRITERS = 12;
  private static final Duration PATIENCE = Patience.LIMIT;

  private final HttpClient client = HttpClient.newHttpClient();
  private final List<SharedStreams> engines = new ArrayList<>();
  private final List<SemelServer> servers = new ArrayList<>();
  private NatsClusterService nats;

  @BeforeEach
  void start() {
    nats = NatsClusterService.start();
    for (int i = 0; i < 3; i++) {
      engines.add(JetStreamLog.openStreams(StreamsSettings.parse(nats.urls()).withReplicas(3)));
      servers.add(
          SemelServer.start(
              ServerSettings.defaults().withAddress("127.0.0.1", 0).withEventLoops(1),
              ServerBackend.of(engines.get(i))));
    }
  }

  @AfterEach
  void end() {
    servers.forEach(SemelServer::close);
    engines.forEach(SharedStreams::close);
    nats.close();
  }

  private URI uri(int server, String path) {
    return URI.create(
        "http://127.0.0.1:%d/v1/stream/%s".formatted(servers.get(server).port(), path));
  }

  private HttpRequest.Builder request(int server, String path) {
    return HttpRequest.newBuilder(uri(server, path))
        .timeout(PATIENCE)
        .header("Content-Type", "text/plain");
  }

  private HttpResponse<String> send(HttpRequest request) throws Exception {
    return client.send(request, BodyHandlers.ofString());
  }

  private static String next(HttpResponse<String> response) {
    return response.headers().firstValue("Stream-Next-Offset").orElseThrow();
  }

  @Test
  @Tag("service")
  void eachRaceHasOneWinner() throws Exception {
    race(20);
  }

  @Test
  @Tag("proof")
  void soHaveManyRaces(TestReporter report) throws Exception {
    int races = ProofRun.volume(200, 5_000);
    report.publishEntry("races", "" + races);
    race(races);
  }

  private void race(int rounds) throws Exception {
    HttpResponse<String> created = send(request(0, "race").PUT(BodyPublishers.noBody()).build());
    assertThat(created.statusCode()).isEqualTo(201);
    String tail = next(created);
    StringBuilder expected = new StringBuilder();
    for (int round = 0; round < rounds; round++) {
      List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
      for (int writer = 0; writer < WRITERS; writer++) {
        answers.add(
            client.sendAsync(
                request(writer % 3, "race")
                    .header("If-Match", "\"" + tail + "\"")
                    .POST(BodyPublishers.ofString("%d by %d%n".formatted(round, writer)))
                    .build(),
                BodyHandlers.ofString()));
      }
      List<Integer> winners = new ArrayList<>();
      for (int writer = 0; writer < WRITERS; writer++) {
        HttpResponse<String> answer =
            answers.get(writer).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertThat(answer.statusCode()).as(answer.body()).isIn(204, 412);
        if (answer.statusCode() == 204) {
          winners.add(writer);
          tail = next(answer);
        }
      }
      assertThat(winners).as("winners of round %d", round).hasSize(1);
      expected.append("%d by %d%n".formatted(round, winners.getFirst()));
    }
    for (int server = 0; server < 3; server++) {
      assertThat(send(request(server, "race").GET().build()).body()).isEqualTo(expected.toString());
    }
  }

  @Test
  @Tag("service")
  void whatOneServerAnsweredEveryOtherKnows() throws Exception {
    for (int i = 0; i < 30; i++) {
      String path = "known/" + i % 3;
      HttpResponse<String> created =
          send(request(i % 3, path).PUT(BodyPublishers.noBody()).build());
      assertThat(created.statusCode()).isEqualTo(201);
      HttpResponse<String> written =
          send(request((i + 1) % 3, path).POST(BodyPublishers.ofString("x" + i)).build());
      assertThat(written.statusCode()).as(written.body()).isEqualTo(204);
      HttpResponse<String> read = send(request((i + 2) % 3, path).GET().build());
      assertThat(read.body()).isEqualTo("x" + i);
      assertThat(next(read)).isEqualTo(next(written));
      assertThat(send(request(i % 3, path).DELETE().build()).statusCode()).isEqualTo(204);
      HttpResponse<String> gone = send(request((i + 1) % 3, path).GET().build());
      assertThat(gone.statusCode()).isEqualTo(404);
    }
  }

  @Test
  @Tag("service")
  void aReaderWaitsAtOneServerForWhatAnotherWrites() throws Exception {
    HttpResponse<String> created = send(request(0, "live").PUT(BodyPublishers.noBody()).build());
    CompletableFuture<HttpResponse<String>> waiting =
        client.sendAsync(
            request(1, "live?live=long-poll&offset=" + next(created)).GET().build(),
            BodyHandlers.ofString());
    assertThat(send(request(2, "live").POST(BodyPublishers.ofString("news")).build()).statusCode())
        .isEqualTo(204);
    HttpResponse<String> told = waiting.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    while (told.statusCode() == 204) { // it was too early, on a slow machine
      told = send(request(1, "live?live=long-poll&offset=" + next(told)).GET().build());
    }
    assertThat(told.body()).isEqualTo("news");
  }
}

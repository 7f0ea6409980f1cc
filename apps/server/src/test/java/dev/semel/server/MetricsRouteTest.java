package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.admin.AdminTargets;
import dev.semel.idempotency.MemoryStore;
import dev.semel.server.metrics.Scraped;
import dev.semel.stream.JournalStreams;
import dev.semel.stream.MemoryStreams;
import dev.semel.stream.spi.Streams;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Scrapes {@code /metrics} over a socket. */
class MetricsRouteTest {
  @TempDir Path folder;

  private static ServerBackend measured(Streams streams) {
    return ServerBackend.of(streams)
        .withTargets(AdminTargets.of(new MemoryStore(InstantSource.system())));
  }

  private static HttpResponse<String> ask(ServerSettings settings, String method, String... headers)
      throws IOException, InterruptedException {
    try (MemoryStreams streams = new MemoryStreams(InstantSource.system());
        SemelServer server = SemelServer.start(settings, measured(streams));
        HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/metrics"))
              .method(method, HttpRequest.BodyPublishers.noBody());
      if (headers.length > 0) {
        request.headers(headers);
      }
      return client.send(request.build(), BodyHandlers.ofString());
    }
  }

  @Test
  void whoScrapesGetsThemInPrometheussFormat() throws IOException, InterruptedException {
    HttpResponse<String> answer = ask(Served.settings(), "GET");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("Content-Type").orElseThrow())
        .startsWith("text/plain; version=0.0.4");
    assertThat(Scraped.parse(answer.body()).names()).contains("semel_store_up");
  }

  /** One append of each counted kind: written, duplicate, stale epoch, refused; and two reads. */
  @Test
  void streamsAreCounted() throws IOException, InterruptedException {
    try (JournalStreams streams =
            JournalStreams.open(
                folder.resolve("streams"),
                InstantSource.system(),
                JournalStreams.Settings.defaults());
        SemelServer server = SemelServer.start(Served.settings(), measured(streams));
        HttpClient client = HttpClient.newHttpClient()) {
      URI stream = URI.create("http://127.0.0.1:" + server.port() + "/v1/stream/orders");
      assertThat(send(client, stream, "PUT", "")).isEqualTo(201);
      assertThat(send(client, stream, "POST", "12345", producer(1, 0))).isEqualTo(200);
      assertThat(send(client, stream, "POST", "12345", producer(1, 0))).isEqualTo(204);
      assertThat(send(client, stream, "POST", "12345", producer(0, 9))).isEqualTo(403);
      assertThat(send(client, stream, "POST", "", producer(1, 1))).isEqualTo(400);
      assertThat(send(client, stream, "GET", "")).isEqualTo(200);
      assertThat(send(client, stream, "GET", "")).isEqualTo(200);
      URI address = URI.create("http://127.0.0.1:" + server.port() + "/metrics");
      Scraped scraped =
          Scraped.parse(
              client.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString()).body());
      assertThat(scraped.value("semel_stream_appends_total", "{outcome=written}")).isEqualTo(1);
      assertThat(scraped.value("semel_stream_appends_total", "{outcome=duplicate}")).isEqualTo(1);
      assertThat(scraped.value("semel_stream_appends_total", "{outcome=fenced}")).isEqualTo(1);
      assertThat(scraped.value("semel_stream_append_seconds_count", "{}"))
          .as("those that reached the streams")
          .isGreaterThanOrEqualTo(3);
      assertThat(scraped.value("semel_stream_append_seconds_sum", "{}")).isPositive();
      assertThat(scraped.value("semel_stream_bytes_in_total", "{}")).isEqualTo(5);
      assertThat(scraped.value("semel_stream_bytes_out_total", "{}")).isEqualTo(10);
      assertThat(scraped.value("semel_stream_commits_total", "{}")).isGreaterThanOrEqualTo(2);
      assertThat(scraped.value("semel_streams", "{}")).isEqualTo(1);
      assertThat(scraped.value("semel_stream_live_readers", "{}")).isZero();
      assertThat(scraped.value("semel_stream_journal_bytes", "{}")).isPositive();
      assertThat(scraped.value("semel_held_bytes", "{}")).isNotNegative();
      assertThat(scraped.value("semel_held_bytes_limit", "{}")).isPositive();
      assertThat(scraped.value("semel_held_refused_total", "{}")).isZero();
      assertThat(scraped.value("semel_held_cut_total", "{}")).isZero();
    }
  }

  private static String[] producer(long epoch, long seq) {
    return new String[] {
      "Producer-Id", "p", "Producer-Epoch", "" + epoch, "Producer-Seq", "" + seq
    };
  }

  private static int send(HttpClient client, URI to, String method, String body, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(to)
            .header("Content-Type", "application/octet-stream")
            .method(method, HttpRequest.BodyPublishers.ofString(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), BodyHandlers.ofString()).statusCode();
  }

  @Test
  void nothingButReadingIsThere() throws IOException, InterruptedException {
    assertThat(ask(Served.settings(), "POST").statusCode()).isEqualTo(405);
    HttpResponse<String> head = ask(Served.settings(), "HEAD");
    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(head.body()).isEmpty();
  }

  @Test
  void whereTokensAreUsedOneThatMayReadIsNeeded() throws IOException, InterruptedException {
    Path tokens =
        Files.writeString(
            folder.resolve("tokens"),
            "reader-token-0123456789 read\nappend-token-0123456789 append\nsome-token-0123456789 read orders\n");
    ServerSettings settings = Served.settings().withAccess(AccessRules.parse(tokens));
    assertThat(ask(settings, "GET").statusCode()).isEqualTo(401);
    assertThat(asked(settings, "append-token-0123456789")).isEqualTo(403);
    assertThat(asked(settings, "some-token-0123456789")).isEqualTo(403);
    assertThat(asked(settings, "reader-token-0123456789")).isEqualTo(200);
  }

  private static int asked(ServerSettings settings, String token)
      throws IOException, InterruptedException {
    return ask(settings, "GET", "Authorization", "Bearer " + token).statusCode();
  }

  @Test
  void withoutAStoreThereIsNothing() {
    try (Served served = Served.start()) {
      assertThat(served.get("/metrics").statusCode()).isEqualTo(404);
    }
  }
}

package dev.semel.server.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;

/** How a server starts with many streams, each with some data, and what they cost. */
final class ManyStreamsTest {
  private static final int CONNECTIONS = 4;
  private static final int IN_FLIGHT = 32;
  private static final int MAX_OPEN_FILES = 1_000;

  @TempDir Path folder;

  private final HttpClient client = HttpClient.newHttpClient();

  @Test
  @Tag("service")
  void twoThousand() throws Exception {
    run(2_000);
  }

  @Test
  @Tag("proof")
  void aHundredThousand(TestReporter report) throws Exception {
    report.publishEntry("streams", "100000");
    run(100_000);
  }

  private void run(int count) throws Exception {
    try (CrashingServer server = new CrashingServer(folder)) {
      long started = System.nanoTime();
      create(server, count);
      report("%,d streams made in %.1f s".formatted(count, seconds(started)), server);
      started = System.nanoTime();
      server.killAndRestart();
      report("after kill -9 it listens again in %.1f s".formatted(seconds(started)), server);
      check(server, count);
      started = System.nanoTime();
      server.stopAndRestart();
      report("ended in good order and started in %.1f s".formatted(seconds(started)), server);
      check(server, count);
      assertThat(server.openFiles()).isLessThan(MAX_OPEN_FILES);
    }
  }

  private static double seconds(long since) {
    return Duration.ofNanos(System.nanoTime() - since).toMillis() / 1_000.0;
  }

  private static void report(String what, CrashingServer server) throws IOException {
    System.out.printf(
        "%s: %d MB, %d open files%n", what, server.kilobytes("VmRSS") >> 10, server.openFiles());
  }

  private void check(CrashingServer server, int count) throws Exception {
    for (int i = 0; i < count; i += count / 10) {
      URI uri = URI.create("http://127.0.0.1:%d/v1/stream/s/%d".formatted(server.port(), i));
      String body =
          client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).body();
      assertThat(body).isEqualTo("stream " + i);
    }
  }

  private static void create(CrashingServer server, int count) throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> running = new ArrayList<>();
      for (int c = 0; c < CONNECTIONS; c++) {
        int from = count / CONNECTIONS * c;
        running.add(
            threads.submit(
                () -> {
                  create(server.port(), from, from + count / CONNECTIONS);
                  return null;
                }));
      }
      for (Future<?> each : running) {
        each.get();
      }
    }
  }

  private static void create(int port, int from, int to) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      OutputStream out = new BufferedOutputStream(socket.getOutputStream());
      InputStream in = new BufferedInputStream(socket.getInputStream());
      int answered = from;
      for (int next = from; answered < to; ) {
        while (next < to && next - answered < IN_FLIGHT) {
          String body = "stream " + next;
          String request =
              "PUT /v1/stream/s/%d HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\n%s"
                  .formatted(next, body.length(), body);
          out.write(request.getBytes(StandardCharsets.US_ASCII));
          next++;
        }
        out.flush();
        assertThat(PipelinedProducer.reply(in).status()).isEqualTo(201);
        answered++;
      }
    }
  }
}

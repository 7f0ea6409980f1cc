package dev.semel.server.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;

/** Readers that wait for a stream cost little, get new data, and delay nobody. */
final class ManyReadersTest {
  private static final long PATIENCE_NANOS = 120_000_000_000L;
  private static final int OPENING_AT_A_TIME = 200;

  @TempDir Path folder;

  private final HttpClient client = HttpClient.newHttpClient();

  @Test
  @Tag("service")
  void aThousand() throws Exception {
    run(1_000);
  }

  @Test
  @Tag("proof")
  void tenThousand(TestReporter report) throws Exception {
    report.publishEntry("readers", "10000");
    run(10_000);
  }

  /** One connection and the data that it received. */
  private static final class Reader {
    private final SocketChannel channel;
    private final StringBuilder seen = new StringBuilder();

    Reader(SocketChannel channel) {
      this.channel = channel;
    }
  }

  private void run(int count) throws Exception {
    try (CrashingServer server = new CrashingServer(folder);
        Selector selector = Selector.open()) {
      send(server, "PUT", "");
      long before = server.kilobytes("VmRSS");
      List<Reader> readers = open(server, selector, count);
      long waiting = server.kilobytes("VmRSS");
      send(server, "POST", "hello");
      await(selector, readers, reader -> reader.seen.indexOf("data:hello") >= 0);
      System.out.printf(
          "%d readers: server %d MB before, %d MB while they wait (%.1f KB each), %d MB after all were told%n",
          count,
          before >> 10,
          waiting >> 10,
          (waiting - before) / (double) count,
          server.kilobytes("VmRSS") >> 10);
      for (Reader reader : readers) {
        reader.channel.close();
      }
      assertThat(server.child().alive()).isTrue();
      send(server, "POST", "still there");
    }
  }

  private void send(CrashingServer server, String method, String body) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:%d/v1/stream/feed".formatted(server.port())))
            .header("Content-Type", "text/plain")
            .method(method, BodyPublishers.ofString(body))
            .build();
    assertThat(client.send(request, BodyHandlers.discarding()).statusCode()).isIn(201, 204);
  }

  private static List<Reader> open(CrashingServer server, Selector selector, int count)
      throws Exception {
    byte[] request =
        "GET /v1/stream/feed?offset=now&live=sse HTTP/1.1\r\nHost: localhost\r\n\r\n"
            .getBytes(StandardCharsets.US_ASCII);
    List<Reader> readers = new ArrayList<>(count);
    while (readers.size() < count) {
      for (int i = 0; i < OPENING_AT_A_TIME && readers.size() < count; i++) {
        SocketChannel channel =
            SocketChannel.open(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
        channel.write(ByteBuffer.wrap(request));
        channel.configureBlocking(false);
        Reader reader = new Reader(channel);
        channel.register(selector, SelectionKey.OP_READ, reader);
        readers.add(reader);
      }
      await(selector, readers, reader -> reader.seen.indexOf("upToDate") >= 0);
    }
    return readers;
  }

  private static void await(Selector selector, List<Reader> readers, Predicate<Reader> done)
      throws IOException {
    long end = System.nanoTime() + PATIENCE_NANOS;
    ByteBuffer buffer = ByteBuffer.allocate(64 << 10);
    while (!readers.stream().allMatch(done)) {
      assertThat(System.nanoTime()).as("all readers served in time").isLessThan(end);
      selector.select(
          key -> {
            try {
              Reader reader = (Reader) key.attachment();
              buffer.clear();
              if (reader.channel.read(buffer) < 0) {
                throw new AssertionError("a reader was hung up on: " + reader.seen);
              }
              reader.seen.append(StandardCharsets.UTF_8.decode(buffer.flip()));
            } catch (IOException e) {
              throw new AssertionError(e);
            }
          },
          1_000);
    }
  }
}

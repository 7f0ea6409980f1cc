package dev.semel.stream.transport;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.semel.StoreException;
import dev.semel.loop.Platform;
import dev.semel.stream.Offset;
import dev.semel.stream.client.StreamClient;
import dev.semel.transport.SubscribeSettings;
import dev.semel.transport.spi.PartitionBuffer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class PartitionSourceTest {
  private static final byte[] TEXT = "no JSON at all".getBytes(StandardCharsets.UTF_8);
  private static final Offset END = new Offset(TEXT.length);

  private static void answer(HttpExchange exchange) throws IOException {
    boolean all = String.valueOf(exchange.getRequestURI().getQuery()).contains(END.text());
    exchange.getResponseHeaders().add("Content-Type", "text/plain");
    exchange.getResponseHeaders().add("Stream-Next-Offset", END.text());
    exchange.getResponseHeaders().add("Stream-Up-To-Date", "true");
    exchange.sendResponseHeaders(all ? 204 : 200, all ? -1 : TEXT.length);
    if (!all) {
      exchange.getResponseBody().write(TEXT);
    }
    exchange.close();
  }

  @Test
  void whatIsNoJsonIsSaidAndNotPassedOver() throws IOException {
    InetAddress here = InetAddress.getLoopbackAddress();
    HttpServer server = HttpServer.create(new InetSocketAddress(here, 0), 0);
    server.createContext("/", PartitionSourceTest::answer);
    server.start();
    URI address = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    try (StreamClient client = StreamClient.connect(address)) {
      PartitionBuffer buffer =
          new PartitionBuffer(Platform.REAL, SubscribeSettings.defaults(), true, places -> {});
      PartitionSource source =
          new PartitionSource(
              new PartitionSource.Partition("d", "lane", client.stream("lane"), false),
              "",
              () -> {});
      await()
          .untilAsserted(
              () ->
                  assertThatThrownBy(() -> source.flow(buffer))
                      .isInstanceOf(StoreException.class)
                      .hasMessageContaining("no message of ours"));
      source.close();
    } finally {
      server.stop(0);
    }
  }
}

package dev.semel.server.gateway;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.server.RawClient;
import dev.semel.server.http.ConnectionLimits;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Callers whose bodies come slowly, or not at all. */
@Tag("service")
class SlowCallerTest {
  private static final ConnectionLimits LIMITS =
      ConnectionLimits.defaults().withMinBodyRate(100, Duration.ofMillis(500));
  private static final String POST = "POST /charge HTTP/1.1\r\nHost: localhost\r\n";

  private static Guarding before(ServerSocket service) {
    return Guarding.with(
        settings ->
            GatewaySettings.to(Upstream.parse("http://127.0.0.1:" + service.getLocalPort()))
                .withAddress("127.0.0.1", 0, false)
                .withEventLoops(1)
                .withConnections(LIMITS));
  }

  private static String told(Guarding guarding, String headers) throws IOException {
    try (RawClient client = new RawClient(guarding.gateway.port())) {
      client.send(POST + headers + "Content-Length: 5000\r\n\r\nx");
      return client.rest();
    }
  }

  @Test
  void aBodyThatComesAByteAtATimeIsRefusedWithAKeyAndWithout() throws IOException {
    try (Guarding guarding = Guarding.with(settings -> settings.withConnections(LIMITS))) {
      for (String headers : new String[] {"", "Idempotency-Key: slow\r\n"}) {
        assertThat(told(guarding, headers))
            .startsWith("HTTP/1.1 408 ")
            .contains("body-too-slow", "100 bytes per second");
      }
      assertThat(guarding.backend.executions("/charge")).isZero();
      assertThat(guarding.send("GET", "/.semel/metrics", "").body())
          .contains("semel_http_slow_bodies_total 2\n");
    }
  }

  /** The service behind the gateway is slow, so the caller is not to blame. */
  @Test
  void aServiceThatDoesNotReadIsNoFaultOfTheCaller() throws Exception {
    byte[] body = new byte[32 << 20];
    try (ServerSocket service = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        Guarding guarding = before(service);
        RawClient client = new RawClient(guarding.gateway.port())) {
      CompletableFuture<Boolean> sent =
          CompletableFuture.supplyAsync(
              () ->
                  client.send(
                      POST
                          + "Connection: close\r\nContent-Length: %d\r\n\r\n".formatted(body.length)
                          + new String(body, StandardCharsets.ISO_8859_1)));
      try (Socket connection = service.accept()) {
        // Reads nothing until others were found too slow, twice.
        assertThat(told(guarding, "Idempotency-Key: slow\r\n")).startsWith("HTTP/1.1 408 ");
        assertThat(told(guarding, "Idempotency-Key: slow\r\n")).startsWith("HTTP/1.1 408 ");
        InputStream in = connection.getInputStream();
        for (int read = 0; read < body.length; ) {
          int more = in.read(body);
          assertThat(more).as("after %d", read).isPositive();
          read += more;
        }
        connection.getOutputStream().write("HTTP/1.1 204 No Content\r\n\r\n".getBytes(US_ASCII));
        assertThat(sent.join()).isTrue();
        assertThat(client.line()).contains(" 204 ");
      }
    }
  }

  /** It happens all the time, and nobody can prevent it. */
  @Test
  void whatTheGatewayBreaksOffItselfIsNotLogged() throws Exception {
    Logger vertx = Logger.getLogger("io.vertx");
    ConcurrentLinkedQueue<String> logged = new ConcurrentLinkedQueue<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord entry) {
            logged.add(String.valueOf(entry.getMessage()));
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    vertx.addHandler(handler);
    try (ServerSocket service = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        Guarding guarding = before(service)) {
      try (RawClient client = new RawClient(guarding.gateway.port())) {
        client.send(POST + "Content-Length: 5000\r\n\r\nx");
        try (Socket connection = service.accept()) {
          assertThat(connection.getInputStream().read()).isPositive();
          client.socket().close();
          assertThat(connection.getInputStream().readAllBytes()).isNotEmpty(); // it ends
        }
      }
      for (String key : new String[] {"", "Idempotency-Key: switched\r\n"}) {
        try (RawClient client = new RawClient(guarding.gateway.port())) {
          client.send(POST + key + "Content-Length: 1\r\n\r\nx");
          try (Socket connection = service.accept()) {
            connection
                .getOutputStream()
                .write("HTTP/1.1 101 Switching Protocols\r\n\r\n".getBytes(US_ASCII));
            assertThat(client.line()).contains(" 502 ");
          }
        }
      }
      assertThat(told(guarding, "Idempotency-Key: slow\r\n")).startsWith("HTTP/1.1 408 ");
    } finally {
      vertx.removeHandler(handler);
    }
    assertThat(List.copyOf(logged)).noneMatch(message -> message.contains("Stream reset"));
  }
}

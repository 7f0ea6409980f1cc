package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.server.http.ConnectionLimits;
import dev.semel.server.http.ServerConnections;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Beyond the limit of connections only health checks are answered. */
@Tag("service")
class ConnectionLimitTest {
  private final Served served =
      Served.with(
          Served.settings().withConnections(ConnectionLimits.defaults().withMaxConnections(2)));

  @AfterEach
  void stop() {
    served.close();
  }

  private RawClient connect() throws IOException {
    return new RawClient(served.server.port());
  }

  private static String get(String path) {
    return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
  }

  /** The answer on a new connection, which the server closes. */
  private String ask(String path) throws IOException {
    try (RawClient client = connect()) {
      client.send(get(path));
      return client.rest();
    }
  }

  @Test
  void whoComesTooLateIsToldSoAndTheOthersGoOn() throws IOException {
    try (RawClient first = connect();
        RawClient second = connect()) {
      first.send(get("/healthz"));
      assertThat(first.line()).contains(" 200 ");
      assertThat(ask("/api/v1/streams"))
          .startsWith("HTTP/1.1 503 ")
          .contains("too-many-connections", "Retry-After: 1", "Connection: close");
      assertThat(ask("/healthz")).startsWith("HTTP/1.1 200 ").contains("Connection: close");
      assertThat(ask("/readyz"))
          .startsWith("HTTP/1.1 503 ")
          .contains("the limit of connections is reached");
      second.send(get("/api/v1/streams"));
      assertThat(second.line()).contains(" 200 ");
    }
    await().untilAsserted(() -> assertThat(served.get("/readyz").statusCode()).isEqualTo(200));
  }

  /** Otherwise silent connections could keep out the health checks that report them. */
  @Test
  void whoSaysNothingBeyondTheLimitMakesRoomForWhoAsks() throws IOException {
    List<RawClient> silent = new ArrayList<>();
    for (int i = 0; i < 2 + ServerConnections.HEALTH_PLACES; i++) {
      silent.add(connect());
    }
    for (int i = 0; i < ServerConnections.HEALTH_PLACES; i++) {
      assertThat(ask("/healthz")).startsWith("HTTP/1.1 200 ");
    }
    assertThat(silent.get(2).rest()).isEmpty(); // cut off
    silent.get(0).send(get("/healthz"));
    assertThat(silent.get(0).line()).contains(" 200 ");
    for (RawClient client : silent) {
      client.close();
    }
  }
}

package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.server.http.ConnectionLimits;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The server does not wait for a body that comes a byte at a time. */
@Tag("service")
class SlowBodyTest {
  private static final String HEAD = " HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\n";

  private static Served start() {
    return Served.with(
        Served.settings()
            .withConnections(
                ConnectionLimits.defaults().withMinBodyRate(100, Duration.ofMillis(500))));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "PUT /v1/stream/a",
        "POST /v1/stream/a",
        "PUT /v1/stream/__ds/subscriptions/a",
        "POST /api/v1/producers/fence"
      })
  void itsSenderIsToldAndCutOff(String request) throws IOException {
    try (Served served = start();
        RawClient client = new RawClient(served.server.port())) {
      client.send(request + HEAD + "Content-Length: 5000\r\n\r\nx");
      assertThat(client.rest())
          .startsWith("HTTP/1.1 408 ")
          .contains("body-too-slow", "100 bytes per second", "Connection: close");
      assertThat(served.get("/api/v1/streams").body()).isEqualTo("{\"streams\":[]}");
    }
  }

  /** It would take effect although it was refused. */
  @Test
  void whatIsSentAfterTheRefusalCountsForNothing() throws IOException {
    try (Served served = start();
        RawClient client = new RawClient(served.server.port())) {
      client.send("PUT /v1/stream/a" + HEAD + "Content-Length: 2\r\n\r\nx");
      assertThat(client.line()).contains(" 408 ");
      client.send("x");
      assertThat(client.rest()).contains("body-too-slow");
      assertThat(served.get("/api/v1/streams").body()).isEqualTo("{\"streams\":[]}");
    }
  }

  @Test
  void anyRateWillDoWhereNoneIsSet() throws IOException {
    try (Served patient =
            Served.with(
                Served.settings()
                    .withConnections(
                        ConnectionLimits.defaults().withMinBodyRate(0, Duration.ofMillis(100))));
        Served impatient = start();
        RawClient slow = new RawClient(patient.server.port());
        RawClient clock = new RawClient(impatient.server.port())) {
      String half = "PUT /v1/stream/a" + HEAD + "Content-Length: 2\r\nConnection: close\r\n\r\nx";
      slow.send(half);
      clock.send(half);
      assertThat(clock.line()).contains(" 408 ");
      slow.send("x");
      assertThat(slow.line()).contains(" 201 ");
    }
  }
}

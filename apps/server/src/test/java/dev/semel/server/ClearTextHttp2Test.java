package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Base64;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Without TLS, HTTP/2 is for callers that begin with it. */
@Tag("service")
class ClearTextHttp2Test {
  private Served served;

  @BeforeEach
  void start() {
    served = Served.start();
  }

  @AfterEach
  void stop() {
    served.close();
  }

  @Test
  void curlAppendsAndFollows() throws Exception {
    Curl.appendAndFollow(
        Curl.with("--http2-prior-knowledge"),
        "http://127.0.0.1:%d/v1/stream/c".formatted(served.server.port()));
  }

  /** A proxy that passes the header on would open a way past its rules. */
  @Test
  void noOneIsUpgraded() throws Exception {
    String settings = Base64.getUrlEncoder().encodeToString(new byte[] {0, 3, 0, 0, 0, 100});
    String asking =
        "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: %s\r\n\r\n"
            .formatted(settings);
    try (RawClient client = new RawClient(served.server.port())) {
      for (int i = 0; i < 2; i++) {
        client.send(asking);
        assertThat(client.line()).isEqualTo("HTTP/1.1 200 OK");
        skipBody(client);
      }
    }
    try (HttpClient asks = HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build()) {
      URI health = URI.create("http://127.0.0.1:%d/healthz".formatted(served.server.port()));
      HttpResponse<String> answer =
          asks.send(HttpRequest.newBuilder(health).build(), BodyHandlers.ofString());
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_1_1);
    }
  }

  private static void skipBody(RawClient client) throws IOException {
    int length = 0;
    for (String line = client.line(); !line.isEmpty(); line = client.line()) {
      if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
        length = Integer.parseInt(line.substring(line.indexOf(':') + 1).strip());
      }
    }
    assertThat(client.bytes(length)).hasSize(length);
  }

  /** POST, PROPFIND and PRI begin alike. */
  @Test
  void whatBeginsLikeHttp2AndComesInPiecesIsStillARequest() throws Exception {
    for (String method : new String[] {"POST", "PROPFIND"}) {
      try (RawClient client = new RawClient(served.server.port())) {
        String request =
            method + " /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n";
        for (int i = 0; i < request.length(); i++) {
          client.send(request.substring(i, i + 1));
        }
        assertThat(client.line()).startsWith("HTTP/1.1 405");
      }
    }
    try (RawClient client = new RawClient(served.server.port())) {
      client.send("PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n");
      assertThat(client.rest()).contains(" 501 ");
    }
  }
}

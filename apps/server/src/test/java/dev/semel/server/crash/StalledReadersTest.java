package dev.semel.server.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Readers that never read take no memory from others: a server with a heap of 256 MB. */
@Tag("service")
final class StalledReadersTest {
  private static final int READERS = 300;
  private static final int STREAM_BYTES = 10 << 20;

  @TempDir Path folder;

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  @Test
  void ofEventsOfManyAppends() throws Exception {
    // Each empty line becomes a line of an event, which is six times as long.
    String lines = "\n".repeat(64 << 10);
    staysUp("text/plain", lines, STREAM_BYTES / lines.length(), "offset=-1&live=sse");
  }

  @Test
  void ofOneMessageThatIsLong() throws Exception {
    staysUp("application/json", "\"" + "x".repeat(STREAM_BYTES) + "\"", 1, "offset=-1&live=sse");
  }

  @Test
  void ofWholeReadsWithinAnAppend() throws Exception {
    String numbers = "[" + "1,".repeat(STREAM_BYTES / 2 - 1) + "1]";
    staysUp("application/json", numbers, 1, "offset=-1");
  }

  private void staysUp(String type, String append, int appends, String query) throws Exception {
    try (CrashingServer server = new CrashingServer(folder)) {
      assertThat(send(server, "PUT", type, "").statusCode()).isEqualTo(201);
      for (int i = 0; i < appends; i++) {
        assertThat(send(server, "POST", type, append).statusCode()).isEqualTo(204);
      }
      try (StalledCallers readers = new StalledCallers(server.port())) {
        readers.ask(
            "GET /v1/stream/feed?%s HTTP/1.1\r\nHost: localhost\r\n\r\n".formatted(query), READERS);
        assertThat(readers.answered()).isEqualTo(READERS);
        assertThat(get(server, "/healthz").statusCode()).isEqualTo(200);
        // Callers that read are served as if the others were not there.
        assertThat(send(server, "POST", type, "7").statusCode()).isEqualTo(204);
        assertThat(get(server, "/v1/stream/feed?offset=-1").statusCode()).isEqualTo(200);
        assertThat(server.child().alive()).as(server.child().output()).isTrue();
        assertThat(server.child().output()).doesNotContain("OutOfMemory", "OutOfDirectMemory");
        // A slow reader lost nothing: it holds its place.
        if (query.contains("sse")) {
          assertThat(readers.readOn(0, STREAM_BYTES)).isTrue();
          assertThat(readers.readOn(READERS - 1, STREAM_BYTES)).isTrue();
        }
      }
    }
  }

  private HttpResponse<Void> send(CrashingServer server, String method, String type, String body)
      throws Exception {
    return client.send(
        HttpRequest.newBuilder(uri(server, "/v1/stream/feed"))
            .header("Content-Type", type)
            .method(method, BodyPublishers.ofString(body))
            .build(),
        BodyHandlers.discarding());
  }

  private HttpResponse<Void> get(CrashingServer server, String path) throws Exception {
    return client.send(
        HttpRequest.newBuilder(uri(server, path)).build(), BodyHandlers.discarding());
  }

  private static URI uri(CrashingServer server, String path) throws InterruptedException {
    return URI.create("http://127.0.0.1:%d%s".formatted(server.port(), path));
  }
}

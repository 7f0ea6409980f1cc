package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.json.Json;
import dev.semel.stream.ContentType;
import dev.semel.stream.JournalStreams;
import dev.semel.stream.StreamPath;
import dev.semel.stream.spi.AppendRequest;
import dev.semel.stream.spi.CreateRequest;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads that are sent from a stream's files: whole, in order, cut between messages. */
@Tag("service")
final class LongReadsTest {
  private static final StreamPath PATH = new StreamPath("long");
  private static final int MESSAGES = 40;
  private static final int MESSAGE_BYTES = 250_000;

  @TempDir Path folder;

  private JournalStreams streams;
  private SemelServer server;

  @BeforeEach
  void start() {
    streams =
        JournalStreams.open(folder, InstantSource.system(), JournalStreams.Settings.defaults());
    server =
        SemelServer.start(
            ServerSettings.defaults().withAddress("127.0.0.1", 0), ServerBackend.of(streams));
  }

  @AfterEach
  void stop() {
    server.close();
    streams.close();
  }

  @Test
  void ofJsonAreWhole() throws Exception {
    areWhole("application/json");
  }

  @Test
  void ofBytesAreWhole() throws Exception {
    areWhole("text/plain");
  }

  private void areWhole(String type) throws Exception {
    String expected = fill(ContentType.parse(type));
    hangUpInTheMiddle();
    HttpClient client = HttpClient.newHttpClient();
    StringBuilder all = new StringBuilder();
    int answers = 0;
    for (String offset = "-1"; ; answers++) {
      URI uri =
          URI.create(
              "http://127.0.0.1:%d/v1/stream/long?offset=%s".formatted(server.port(), offset));
      HttpResponse<String> response =
          client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
      assertThat(response.statusCode()).isEqualTo(200);
      all.append(content(response.body(), type));
      offset = response.headers().firstValue("Stream-Next-Offset").orElseThrow();
      if (response.headers().firstValue("Stream-Up-To-Date").isPresent()) {
        break;
      }
    }
    assertThat(all.toString()).isEqualTo(expected);
    assertThat(answers).isGreaterThan(1);
  }

  private static String content(String body, String type) {
    if (!type.equals("application/json")) {
      return body;
    }
    Json.parse(body);
    return body.substring(1, body.length() - 1) + ",";
  }

  private String fill(ContentType type) {
    StringBuilder all = new StringBuilder();
    streams.create(CreateRequest.of(PATH, type)).toCompletableFuture().join();
    for (int i = 0; i < MESSAGES; i++) {
      String message = "\"" + Integer.toString(i).repeat(MESSAGE_BYTES / 2) + "\"";
      AppendRequest append = AppendRequest.of(type, message.getBytes(StandardCharsets.UTF_8));
      streams.append(PATH, append).toCompletableFuture().join();
      all.append(message).append(type.json() ? "," : "");
    }
    return all.toString();
  }

  /** A reader that hangs up in the middle disturbs no other reader. */
  private void hangUpInTheMiddle() throws Exception {
    for (int i = 0; i < 20; i++) {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
        socket
            .getOutputStream()
            .write(
                "GET /v1/stream/long HTTP/1.1\r\nHost: localhost\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII));
        assertThat(socket.getInputStream().readNBytes(10_000)).hasSize(10_000);
      }
    }
  }
}

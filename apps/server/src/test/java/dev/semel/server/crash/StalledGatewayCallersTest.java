package dev.semel.server.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Callers that never read their answers take no memory from others: a gateway with 256 MB. */
@Tag("service")
final class StalledGatewayCallersTest {
  private static final int CALLERS = 700;

  @TempDir Path folder;

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private LargeAnswers answers;

  @BeforeEach
  void start() throws IOException {
    answers = new LargeAnswers(folder);
  }

  @AfterEach
  void stop() {
    answers.close();
  }

  @Test
  void ofOneRecordedAnswer() throws Exception {
    assertThat(post("one").body()).hasSize(LargeAnswers.ANSWER.length);
    try (StalledCallers callers = new StalledCallers(answers.port())) {
      callers.ask(request("one"), CALLERS);
      assertThat(callers.answered()).isEqualTo(CALLERS);
      othersAreServed();
    }
  }

  private void othersAreServed() throws Exception {
    assertThat(health()).isEqualTo(200);
    HttpResponse<byte[]> replayed = post("one");
    assertThat(replayed.statusCode()).isEqualTo(200);
    assertThat(replayed.body()).isEqualTo(LargeAnswers.ANSWER);
    assertThat(answers.gateway().alive()).as(answers.gateway().output()).isTrue();
    assertThat(answers.gateway().output()).doesNotContain("OutOfMemory", "OutOfDirectMemory");
  }

  private static String request(String key) {
    return "POST /pay HTTP/1.1\r\nHost: localhost\r\nIdempotency-Key: %s\r\nContent-Length: 2\r\n\r\n{}"
        .formatted(key);
  }

  private int health() throws Exception {
    URI uri = URI.create("http://127.0.0.1:%d/.semel/healthz".formatted(answers.port()));
    return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.discarding()).statusCode();
  }

  private HttpResponse<byte[]> post(String key) throws Exception {
    URI uri = URI.create("http://127.0.0.1:%d/pay".formatted(answers.port()));
    return client.send(
        HttpRequest.newBuilder(uri)
            .header("Idempotency-Key", key)
            .POST(BodyPublishers.ofString("{}"))
            .build(),
        BodyHandlers.ofByteArray());
  }
}

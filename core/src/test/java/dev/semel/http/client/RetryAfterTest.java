package dev.semel.http.client;

import static dev.semel.http.client.SocketServer.answer;
import static dev.semel.http.client.SocketServer.script;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetryAfterTest {
  private static final Instant NOW = Instant.parse("2026-11-17T10:00:00Z");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "120                           |                               | 120",
        "0                             |                               | 0",
        "Tue, 17 Nov 2026 10:01:00 GMT |                               | 60",
        "Tue, 17 Nov 2026 09:00:00 GMT |                               | 0",
        "Tue, 17 Nov 2026 10:01:00 GMT | Tue, 17 Nov 2026 10:00:55 GMT | 5",
        "Tue, 17 Nov 2026 10:01:00 GMT | yesterday                     | 60",
        "-5                            |                               | 0",
        "1.5                           |                               | 0",
        "99999999999999999999          |                               | 0",
        "soon                          |                               | 0"
      })
  void secondsAndDatesAreRead(String retryAfter, String date, long seconds) throws Exception {
    String[] headers =
        date == null
            ? new String[] {"Retry-After: " + retryAfter}
            : new String[] {"Retry-After: " + retryAfter, "Date: " + date};
    try (SocketServer server = script(answer(503, "", headers))) {
      HttpResponse<byte[]> answer =
          HttpClient.newHttpClient()
              .send(HttpRequest.newBuilder(server.uri()).build(), BodyHandlers.ofByteArray());
      assertThat(AnswerReading.retryAfter(answer, NOW)).isEqualTo(Duration.ofSeconds(seconds));
    }
  }
}

package dev.semel.tck.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.http.HttpHeader;
import dev.semel.http.HttpProfile;
import dev.semel.idempotency.ExecutionPolicy;
import dev.semel.internal.Ids;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The first request runs; duplicates get its answer. */
abstract class ReplayedAnswers extends HttpWords {
  @Test
  void theFirstRunsAndItsAnswerArrivesAsTheBackendGaveIt() {
    try (HttpFront front = start(RULES)) {
      String key = freshKey();
      HttpResponse<byte[]> first = send(front, ClickedRequest.post("/charge").key(key));
      assertExecuted(first, 201);
      byte[] sent = ClickedRequest.BODY.getBytes(StandardCharsets.UTF_8);
      assertThat(text(first))
          .isEqualTo(
              "{\"number\":1,\"bytes\":%d,\"sha256\":\"%s\"}"
                  .formatted(sent.length, Ids.sha256Hex(sent)));
      assertThat(header(first, "Location")).isEqualTo("/charge/1");
      assertThat(header(first, "ETag")).isEqualTo("\"1\"");
      assertThat(header(first, "Set-Cookie")).isEqualTo("session=1");
      assertThat(header(first, "X-Number")).isEqualTo("1");
      assertThat(header(first, "Content-Type")).startsWith("application/json");
      assertThat(header(first, HttpHeader.KEY)).isEqualTo(key);
      assertThat(header(first, HttpHeader.RETENTION)).isEqualTo("86400");
      assertThat(header(first, HttpHeader.RECORDED)).isEmpty();
      assertThat(executions(front, "/charge")).isEqualTo(1);
    }
  }

  @Test
  void theRetryGetsTheSameBytesAndHeadersButNoCookie() {
    try (HttpFront front = start(RULES)) {
      ClickedRequest click = click();
      HttpResponse<byte[]> first = send(front, click);
      for (int retry = 0; retry < 3; retry++) {
        HttpResponse<byte[]> again = send(front, click);
        assertReplays(first, again);
        assertThat(header(again, "Location")).isEqualTo("/charge/1");
        assertThat(again.headers().allValues("Set-Cookie")).isEmpty();
        assertThat(again.headers().allValues("X-Number")).isEmpty();
        assertThat(header(again, HttpHeader.KEY)).isEqualTo(header(first, HttpHeader.KEY));
      }
      assertThat(executions(front, "/charge")).isEqualTo(1);
    }
  }

  @Test
  void everyHeaderStandsThereOnce() {
    try (HttpFront front = start(RULES)) {
      ClickedRequest click = click();
      for (HttpResponse<byte[]> answer : List.of(send(front, click), send(front, click))) {
        for (String name :
            List.of("Content-Type", "ETag", "Location", HttpHeader.KEY, HttpHeader.RETENTION)) {
          assertThat(answer.headers().allValues(name)).as(name).hasSize(1);
        }
      }
    }
  }

  @Test
  void answersSayForHowLongTheKeyIsRemembered() {
    Duration retention = Duration.ofDays(7);
    try (HttpFront front = start(with(ExecutionPolicy.defaults().withRetention(retention)))) {
      ClickedRequest click = click();
      assertThat(header(send(front, click), HttpHeader.RETENTION))
          .isEqualTo(Long.toString(retention.toSeconds()));
      assertThat(Long.parseLong(header(send(front, click), HttpHeader.RETENTION)))
          .isBetween(retention.toSeconds() - 120, retention.toSeconds());
    }
  }

  @Test
  void otherChosenHeadersAreReplayedToo() {
    try (HttpFront front = start(RULES.withReplayedHeaders(Set.of("x-number", "Content-Type")))) {
      ClickedRequest click = click();
      send(front, click);
      HttpResponse<byte[]> again = send(front, click);
      assertThat(header(again, "X-Number")).isEqualTo("1");
      assertThat(again.headers().allValues("Location")).isEmpty();
    }
  }

  @Test
  void bodiesOfAnyBytesAreRepeatedByteForByte() {
    try (HttpFront front = start(RULES)) {
      for (String target : List.of("/large?bytes=100000", "/chunked?bytes=100000")) {
        ClickedRequest click = ClickedRequest.post(target).key(freshKey());
        HttpResponse<byte[]> first = send(front, click);
        assertExecuted(first, 200);
        assertThat(first.body()).hasSize(100_000);
        assertThat(first.body()[99_999]).isEqualTo((byte) (99_999 % 251));
        assertReplays(first, send(front, click));
      }
    }
  }

  @Test
  void anAnswerWithoutABodyIsRepeatedToo() {
    try (HttpFront front = start(RULES)) {
      ClickedRequest click = ClickedRequest.post("/status/204").key(freshKey());
      HttpResponse<byte[]> first = send(front, click);
      assertExecuted(first, 204);
      assertReplays(first, send(front, click));
      ClickedRequest empty = ClickedRequest.post("/large?bytes=0").key(freshKey());
      assertReplays(send(front, empty), send(front, empty));
    }
  }

  @Test
  void chunkedRequestsAreTheSameAsWholeOnes() {
    try (HttpFront front = start(RULES)) {
      ClickedRequest click = click();
      byte[] sent = click.body().getBytes(StandardCharsets.UTF_8);
      HttpResponse<byte[]> first =
          send(
              click.at(
                  front.uri(),
                  BodyPublishers.ofByteArrays(List.of(Arrays.copyOf(sent, 5), rest(sent)))));
      assertExecuted(first, 201);
      assertThat(text(first)).contains(Ids.sha256Hex(sent));
      assertReplays(first, send(front, click));
    }
  }

  private static byte[] rest(byte[] sent) {
    return Arrays.copyOfRange(sent, 5, sent.length);
  }

  @Test
  void requestsWithoutABodyAreGuardedToo() {
    try (HttpFront front = start(RULES)) {
      ClickedRequest click = click().body("");
      HttpResponse<byte[]> first = send(front, click);
      assertThat(text(first)).contains("\"bytes\":0");
      assertReplays(first, send(front, click));
    }
  }

  @Test
  void clientsOfStripeFindTheHeaderThatTheyKnow() {
    try (HttpFront front = start(RULES.withProfile(HttpProfile.STRIPE))) {
      ClickedRequest click = click();
      assertThat(header(send(front, click), "Idempotent-Replayed")).isEmpty();
      HttpResponse<byte[]> again = send(front, click);
      assertThat(header(again, "Idempotent-Replayed")).isEqualTo("true");
      assertThat(isReplay(again)).isTrue();
    }
  }

  @Test
  void requestsWithoutAKeyAndReadingOnesPassUntouched() {
    try (HttpFront front = start(RULES)) {
      for (int i = 1; i <= 2; i++) {
        HttpResponse<byte[]> answer = send(front, ClickedRequest.post("/charge"));
        assertPassed(answer, 201);
        assertThat(text(answer)).contains("\"number\":" + i);
      }
      assertPassed(send(front, click().by("GET").body("")), 201);
      ClickedRequest put = click().by("PUT");
      assertPassed(send(front, put), 201);
      assertPassed(send(front, put), 201);
      assertThat(executions(front, "/charge")).isEqualTo(5);
    }
  }

  private static void assertPassed(HttpResponse<byte[]> answer, int status) {
    assertExecuted(answer, status);
    assertThat(answer.headers().firstValue(HttpHeader.KEY)).isEmpty();
    assertThat(answer.headers().firstValue(HttpHeader.RETENTION)).isEmpty();
    assertThat(header(answer, "Set-Cookie")).startsWith("session=");
  }

  @Test
  void otherMethodsCanBeGuarded() {
    try (HttpFront front = start(RULES.withMethods(Set.of("PUT")))) {
      ClickedRequest put = click().by("PUT");
      assertReplays(send(front, put), send(front, put));
      ClickedRequest post = click();
      assertPassed(send(front, post), 201);
      assertPassed(send(front, post), 201);
    }
  }
}

package dev.semel.tck.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.http.HttpHeader;
import dev.semel.http.HttpRefusal;
import dev.semel.http.KeptStatuses;
import dev.semel.idempotency.ExecutionPolicy;
import dev.semel.idempotency.MemoryStore;
import dev.semel.idempotency.OperationSetting;
import dev.semel.idempotency.OperationSettings;
import dev.semel.idempotency.spi.Store;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which answers are stored; after any other the retry runs, or gets a refusal with the reason. */
abstract class KeptAnswers extends HttpWords {
  private static void assertKept(HttpFront front, int status) {
    ClickedRequest click = ClickedRequest.post("/status/" + status).key(freshKey());
    HttpResponse<byte[]> first = send(front, click);
    assertExecuted(first, status);
    assertReplays(first, send(front, click));
    assertThat(executions(front, "/status/" + status)).isEqualTo(1);
  }

  private static void assertReleased(HttpFront front, int status) {
    ClickedRequest click = ClickedRequest.post("/status/" + status).key(freshKey());
    assertExecuted(send(front, click), status);
    HttpResponse<byte[]> again = send(front, click);
    assertExecuted(again, status);
    assertThat(text(again)).isEqualTo(status + " 2");
    assertThat(header(again, HttpHeader.KEY)).isNotEmpty();
  }

  @Test
  void successAndClientErrorsAreKept() {
    try (HttpFront front = start(RULES)) {
      for (int status : List.of(200, 201, 202, 303, 400, 402, 404, 409, 422)) {
        assertKept(front, status);
      }
    }
  }

  @Test
  void afterServerErrorsAndWhatAsksToComeAgainTheRetryRuns() {
    try (HttpFront front = start(RULES)) {
      for (int status : List.of(500, 502, 503, 425, 429)) {
        assertReleased(front, status);
      }
    }
  }

  @Test
  void bothCanBeSetTheOtherWayRound() {
    try (HttpFront front = start(RULES.withKept(new KeptStatuses(false, true, Set.of(503))))) {
      assertKept(front, 201);
      assertKept(front, 500);
      assertKept(front, 502);
      for (int status : List.of(400, 404, 422, 429, 503)) {
        assertReleased(front, status);
      }
    }
  }

  /** After a release the key is free again, also for another body. */
  @Test
  void afterAReleaseTheNextAnswerIsKept() {
    try (HttpFront front = start(RULES)) {
      String key = freshKey();
      assertExecuted(send(front, ClickedRequest.post("/status/503").key(key)), 503);
      HttpResponse<byte[]> second = send(front, ClickedRequest.post("/charge").key(key));
      assertExecuted(second, 201);
      assertReplays(second, send(front, ClickedRequest.post("/charge").key(key)));
    }
  }

  @Test
  void anAnswerOverTheLimitArrivesWholeAndIsNotRepeated() {
    try (HttpFront front = start(with(ExecutionPolicy.defaults().withMaxResponseBytes(10_000)))) {
      for (String path : List.of("/large", "/chunked")) {
        ClickedRequest click = ClickedRequest.post(path + "?bytes=300000").key(freshKey());
        HttpResponse<byte[]> first = send(front, click);
        assertExecuted(first, 200);
        assertThat(first.body()).hasSize(300_000);
        assertThat(first.body()[299_999]).isEqualTo((byte) (299_999 % 251));
        for (int retry = 0; retry < 2; retry++) {
          HttpResponse<byte[]> again = send(front, click);
          assertRefused(again, HttpRefusal.NOT_REPLAYABLE, 409);
          assertThat(header(again, "Retry-After")).isEmpty();
        }
        assertThat(executions(front, path)).isEqualTo(1);
      }
    }
  }

  /** A store with an operator's setting for the largest stored answer. */
  private static Store storeWithLimit(int bytes) {
    Store store = new MemoryStore(InstantSource.system());
    String text = Integer.toString(bytes);
    store
        .settings()
        .write(
            RULES.operation(),
            0,
            new OperationSettings(Map.of(OperationSetting.MAX_RESPONSE, text)).text());
    return store;
  }

  @Test
  void anOperatorsLimitGoesBeforeThatOfTheRulesWhereItIsHigher() {
    ExecutionPolicy little = ExecutionPolicy.defaults().withMaxResponseBytes(10_000);
    try (HttpFront front = start(with(little), storeWithLimit(400_000))) {
      for (String path : List.of("/large", "/chunked")) {
        ClickedRequest click = ClickedRequest.post(path + "?bytes=300000").key(freshKey());
        HttpResponse<byte[]> first = send(front, click);
        assertExecuted(first, 200);
        assertThat(first.body()).hasSize(300_000);
        assertReplays(first, send(front, click));
        assertThat(executions(front, path)).isEqualTo(1);
      }
    }
  }

  @Test
  void anOperatorsLimitGoesBeforeThatOfTheRulesWhereItIsLower() {
    try (HttpFront front = start(RULES, storeWithLimit(10_000))) {
      for (String path : List.of("/large", "/chunked")) {
        ClickedRequest click = ClickedRequest.post(path + "?bytes=300000").key(freshKey());
        HttpResponse<byte[]> first = send(front, click);
        assertExecuted(first, 200);
        assertThat(first.body()).hasSize(300_000);
        assertRefused(send(front, click), HttpRefusal.NOT_REPLAYABLE, 409);
      }
    }
  }

  @Test
  void aStreamedAnswerArrivesPieceByPieceAndIsNotRepeated() throws IOException {
    try (HttpFront front = start(RULES)) {
      ClickedRequest click =
          ClickedRequest.post("/stream?pieces=20").key(freshKey()).header("X-Gate", "g");
      HttpResponse<InputStream> first = send(front, click, BodyHandlers.ofInputStream());
      assertExecuted(first, 200);
      assertThat(header(first, "Content-Type")).startsWith("text/event-stream");
      try (BufferedReader lines =
          new BufferedReader(new InputStreamReader(first.body(), StandardCharsets.UTF_8))) {
        assertThat(lines.readLine()).isEqualTo("data: 1.1");
        assertInFlight(send(front, click));
        open(front, "g");
        assertThat(lines.lines().filter(line -> !line.isEmpty()))
            .hasSize(19)
            .last()
            .isEqualTo("data: 1.20");
      }
      // The client gets the last piece shortly before the end is recorded.
      eventually("it ended", () -> !inFlight(send(front, click)));
      assertRefused(send(front, click), HttpRefusal.NOT_REPLAYABLE, 409);
      assertThat(executions(front, "/stream")).isEqualTo(1);
    }
  }

  @Test
  void aStreamedAnswerWithoutAKeyPasses() {
    try (HttpFront front = start(RULES)) {
      assertThat(text(send(front, ClickedRequest.post("/stream?pieces=2"))))
          .isEqualTo("data: 1.1\n\ndata: 1.2\n\n");
    }
  }
}

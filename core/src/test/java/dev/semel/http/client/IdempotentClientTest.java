package dev.semel.http.client;

import static dev.semel.http.client.SocketServer.answer;
import static dev.semel.http.client.SocketServer.script;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.semel.InvalidInput;
import dev.semel.http.HttpHeader;
import dev.semel.http.HttpProfile;
import dev.semel.http.HttpRefusal;
import dev.semel.http.KeySource;
import dev.semel.http.KeySyntax;
import dev.semel.http.client.SocketServer.Step;
import dev.semel.junit.Patience;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class IdempotentClientTest {
  private static final ClientSettings SETTINGS =
      ClientSettings.defaults()
          .withPauses(Duration.ofMillis(1), Duration.ofMillis(5))
          .withDeadline(Patience.LIMIT);
  private static final Step CREATED = answer(201, "charge 1");

  private final HttpClient http = HttpClient.newHttpClient();

  private IdempotentClient client(ClientSettings settings) {
    return new IdempotentClient(http, settings);
  }

  private static HttpRequest charge(SocketServer server) {
    return HttpRequest.newBuilder(server.uri())
        .header("Content-Type", "application/json")
        .POST(BodyPublishers.ofString("{\"amount\":10}"))
        .build();
  }

  private ClientResult send(SocketServer server) {
    return client(SETTINGS).send(charge(server));
  }

  private static Step problem(HttpRefusal refusal, int status, String... headers) {
    String[] all = new String[headers.length + 1];
    all[0] = "Content-Type: application/problem+json";
    System.arraycopy(headers, 0, all, 1, headers.length);
    return answer(status, "{\"type\":\"%s\",\"status\":%d}".formatted(refusal.type(), status), all);
  }

  private static void assertOneKey(SocketServer server, ClientResult sent) {
    assertThat(server.keys()).hasSize(sent.tries()).containsOnly(sent.key());
    assertThat(server.asked())
        .allSatisfy(
            asked -> {
              assertThat(asked.method()).isEqualTo("POST");
              assertThat(asked.target()).isEqualTo("/charge?x=1");
              assertThat(asked.header("Content-Type")).containsExactly("application/json");
              assertThat(new String(asked.body(), StandardCharsets.UTF_8))
                  .isEqualTo("{\"amount\":10}");
            });
  }

  @Test
  void theFirstAnswerIsAnExecution() {
    try (SocketServer server = script(CREATED)) {
      ClientResult sent = send(server);
      assertThat(sent).isInstanceOf(ClientResult.Executed.class);
      assertThat(((ClientResult.Executed) sent).answer().body()).asString().isEqualTo("charge 1");
      assertThat(UUID.fromString(sent.key()).version()).isEqualTo(7);
      assertThat(sent.tries()).isEqualTo(1);
      assertOneKey(server, sent);
    }
  }

  @Test
  void lostAnswersAreAskedForAgainWithTheSameKey() {
    try (SocketServer server =
        script(
            SocketServer.HANGS_UP,
            SocketServer.RESETS,
            SocketServer.STOPS_HALFWAY,
            answer(201, "charge 1", HttpHeader.REPLAYED + ": true"))) {
      ClientResult sent = send(server);
      assertThat(sent).isInstanceOf(ClientResult.Replayed.class);
      assertThat(((ClientResult.Replayed) sent).answer().body()).asString().isEqualTo("charge 1");
      assertThat(sent.tries()).isEqualTo(4);
      assertOneKey(server, sent);
    }
  }

  @Test
  void whatIsInFlightIsAskedForUntilItEnded() {
    try (SocketServer server =
        script(
            problem(HttpRefusal.IN_FLIGHT, 409, "Retry-After: 0"),
            problem(HttpRefusal.IN_FLIGHT, 202, "Retry-After: 0"), // as profile adr has it
            answer(409, "", "Retry-After: 0"), // as others have it
            answer(429, ""),
            answer(503, "", "Retry-After: 0"),
            problem(HttpRefusal.STORE_AWAY, 503, "Retry-After: 0"),
            CREATED)) {
      ClientResult sent = send(server);
      assertThat(sent).isInstanceOf(ClientResult.Executed.class);
      assertThat(sent.tries()).isEqualTo(7);
      assertOneKey(server, sent);
    }
  }

  @Test
  void aDoubtEndsIt() {
    try (SocketServer server =
        script(SocketServer.HANGS_UP, problem(HttpRefusal.IN_DOUBT, 409), CREATED)) {
      ClientResult sent = send(server);
      assertThat(sent).isInstanceOf(ClientResult.InDoubt.class);
      assertThat(sent.tries()).isEqualTo(2);
      assertOneKey(server, sent);
    }
  }

  @ParameterizedTest
  @EnumSource(HttpProfile.class)
  void aMismatchEndsItInEveryProfile(HttpProfile profile) {
    try (SocketServer server =
        script(problem(HttpRefusal.MISMATCH, profile.status(HttpRefusal.MISMATCH)), CREATED)) {
      ClientResult sent = send(server);
      assertThat(sent).isInstanceOf(ClientResult.Refused.class);
      assertThat(((ClientResult.Refused) sent).refusal()).contains(HttpRefusal.MISMATCH);
      assertThat(server.asked()).hasSize(1);
    }
  }

  @Test
  void theServicesOwnNoEndsIt() {
    for (int status : new int[] {400, 402, 404, 409, 422}) {
      try (SocketServer server =
          script(answer(status, "{", "Content-Type: application/problem+json"), CREATED)) {
        ClientResult sent = send(server);
        assertThat(sent).isInstanceOf(ClientResult.Refused.class);
        assertThat(((ClientResult.Refused) sent).refusal()).isEmpty();
        assertThat(((ClientResult.Refused) sent).answer().statusCode()).isEqualTo(status);
      }
    }
  }

  /** A service that keeps its 5xx answers gives the same one for ever. */
  @Test
  void aFailureThatIsReplayedEndsIt() {
    try (SocketServer server = script(answer(500, "", HttpHeader.REPLAYED + ": true"), CREATED)) {
      assertThat(send(server)).isInstanceOf(ClientResult.Refused.class);
    }
  }

  @Test
  void aSilentServerIsAskedAgain() {
    CountDownLatch gate = new CountDownLatch(1);
    try (SocketServer server =
        script(SocketServer.silentUntil(gate), SocketServer.stallsUntil(gate), CREATED)) {
      ClientSettings quick = SETTINGS.withTryTimeout(Duration.ofMillis(300)).withMaxTries(500);
      ClientResult sent = client(quick).send(charge(server));
      assertThat(sent).isInstanceOf(ClientResult.Executed.class);
      // At least: on a busy machine the answer that comes may be too late, too.
      assertThat(sent.tries()).isGreaterThanOrEqualTo(3);
      assertThat(server.keys()).hasSizeGreaterThanOrEqualTo(3).containsOnly(sent.key());
    } finally {
      gate.countDown();
    }
  }

  @Test
  void theRequestsOwnTimeoutIsThatOfOneTry() {
    CountDownLatch gate = new CountDownLatch(1);
    try (SocketServer server = script(SocketServer.silentUntil(gate), CREATED)) {
      HttpRequest quick =
          HttpRequest.newBuilder(charge(server), (n, v) -> true)
              .timeout(Duration.ofMillis(300))
              .build();
      assertThat(client(SETTINGS.withMaxTries(500)).send(quick))
          .isInstanceOf(ClientResult.Executed.class);
    } finally {
      gate.countDown();
    }
  }

  @Test
  void whatTheServerAsksForIsWaitedFor() {
    try (SocketServer server = script(answer(503, "", "Retry-After: 1"), CREATED)) {
      long started = System.nanoTime();
      assertThat(send(server)).isInstanceOf(ClientResult.Executed.class);
      assertThat(Duration.ofNanos(System.nanoTime() - started))
          .isGreaterThanOrEqualTo(Duration.ofSeconds(1));
    }
  }

  @Test
  void butNoLongerThanTheLimit() {
    try (SocketServer server = script(answer(503, "", "Retry-After: 3600"), CREATED)) {
      ClientSettings impatient = SETTINGS.withLongestRetryAfter(Duration.ofMillis(10));
      assertThat(client(impatient).send(charge(server))).isInstanceOf(ClientResult.Executed.class);
    }
  }

  /** Waiting for a moment that lies behind the deadline helps nobody. */
  @Test
  void whoIsToldToComeAfterTheDeadlineGivesUpAtOnce() {
    String tomorrow =
        DateTimeFormatter.RFC_1123_DATE_TIME.format(ZonedDateTime.now(ZoneOffset.UTC).plusDays(1));
    try (SocketServer server = script(answer(503, "", "Retry-After: " + tomorrow), CREATED)) {
      ClientResult sent =
          client(SETTINGS.withLongestRetryAfter(Duration.ofHours(1))).send(charge(server));
      assertThat(sent).isInstanceOf(ClientResult.GaveUp.class);
      assertThat(sent.tries()).isEqualTo(1);
      assertThat(((ClientResult.GaveUp) sent).last().orElseThrow().statusCode()).isEqualTo(503);
      assertThat(((ClientResult.GaveUp) sent).cause()).isEmpty();
    }
  }

  @Test
  void whoGaveUpHasTheKeyToGoOnWith() {
    try (SocketServer server =
        script(SocketServer.HANGS_UP, SocketServer.HANGS_UP, SocketServer.HANGS_UP, CREATED)) {
      ClientResult first = client(SETTINGS.withMaxTries(3)).send(charge(server));
      assertThat(first).isInstanceOf(ClientResult.GaveUp.class);
      assertThat(first.tries()).isEqualTo(3);
      assertThat(((ClientResult.GaveUp) first).cause()).isPresent();
      ClientResult second = client(SETTINGS).send(charge(server), first.key());
      assertThat(second).isInstanceOf(ClientResult.Executed.class);
      assertThat(server.keys()).hasSize(4).containsOnly(first.key());
    }
  }

  @Test
  void theDeadlineCountsForAllTriesTogether() {
    CountDownLatch gate = new CountDownLatch(1);
    try (SocketServer server = script(SocketServer.silentUntil(gate))) {
      ClientSettings brief = SETTINGS.withDeadline(Duration.ofMillis(300));
      ClientResult sent = client(brief).send(charge(server));
      assertThat(sent).isInstanceOf(ClientResult.GaveUp.class);
      assertThat(((ClientResult.GaveUp) sent).reason()).contains("PT0.3S");
    } finally {
      gate.countDown();
    }
  }

  @Test
  void aServerThatIsNotThereIsTriedUntilItsTimeIsOver() {
    URI nobody;
    try (SocketServer server = script(CREATED)) {
      nobody = server.uri();
    }
    HttpRequest request = HttpRequest.newBuilder(nobody).POST(BodyPublishers.ofString("x")).build();
    ClientResult sent = client(SETTINGS.withMaxTries(3)).send(request);
    assertThat(sent).isInstanceOf(ClientResult.GaveUp.class);
    assertThat(sent.tries()).isEqualTo(3);
  }

  @Test
  void aBodyThatMayBeUsedUpIsSentOnce() {
    try (SocketServer server = script(SocketServer.HANGS_UP, CREATED)) {
      HttpRequest stream =
          HttpRequest.newBuilder(server.uri())
              .POST(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(new byte[] {'x'})))
              .build();
      ClientResult sent = client(SETTINGS).send(stream);
      assertThat(sent).isInstanceOf(ClientResult.GaveUp.class);
      assertThat(sent.tries()).isEqualTo(1);
      assertThat(((ClientResult.GaveUp) sent).reason()).contains("can't be sent again");
    }
  }

  @Test
  void anAnswerOverTheLimitIsNotAskedForAgain() {
    try (SocketServer server = script(answer(201, "x".repeat(1001)), CREATED)) {
      ClientResult sent = client(SETTINGS.withMaxResponseBytes(1000)).send(charge(server));
      assertThat(sent).isInstanceOf(ClientResult.GaveUp.class);
      assertThat(((ClientResult.GaveUp) sent).reason()).contains("maxResponseBytes");
      assertThat(server.asked()).hasSize(1);
    }
    try (SocketServer server = script(answer(201, "x".repeat(1000)))) {
      assertThat(client(SETTINGS.withMaxResponseBytes(1000)).send(charge(server)))
          .isInstanceOf(ClientResult.Executed.class);
    }
  }

  @Test
  void aKeyOfTheRequestsOwnIsKept() {
    try (SocketServer server = script(SocketServer.HANGS_UP, CREATED)) {
      HttpRequest own =
          HttpRequest.newBuilder(charge(server), (n, v) -> true)
              .header("idempotency-key", "order-7")
              .build();
      ClientResult sent = client(SETTINGS).send(own);
      assertThat(sent.key()).isEqualTo("order-7");
      assertOneKey(server, sent);
      assertThatThrownBy(() -> client(SETTINGS).send(own, "order-8"))
          .isInstanceOf(InvalidInput.class);
      assertThat(client(SETTINGS).send(own, "order-7").key()).isEqualTo("order-7");
    }
  }

  @Test
  void keysAreWrittenAsTheServiceWantsThem() {
    try (SocketServer server = script(CREATED)) {
      ClientSettings strict =
          SETTINGS.withHeader(new KeySource.Header("X-Request-Id", KeySyntax.STRICT));
      ClientResult sent = client(strict).send(charge(server), "a \"b\"");
      assertThat(sent.key()).isEqualTo("a \"b\"");
      assertThat(server.asked().get(0).header("X-Request-Id")).containsExactly("\"a \\\"b\\\"\"");
      assertThat(server.keys()).isEmpty();
    }
  }

  @Test
  void invalidKeysAreRefusedBeforeAnythingIsSent() {
    try (SocketServer server = script(CREATED)) {
      for (String key : new String[] {"", "a\r\nb", "k".repeat(256), "ключ"}) {
        assertThatThrownBy(() -> client(SETTINGS).send(charge(server), key))
            .isInstanceOf(RuntimeException.class);
      }
      assertThat(server.asked()).isEmpty();
    }
  }

  @Test
  void withoutWaitingItIsTheSame() {
    try (SocketServer server = script(SocketServer.HANGS_UP, answer(503, ""), CREATED)) {
      ClientResult sent = client(SETTINGS).sendLater(charge(server)).join();
      assertThat(sent).isInstanceOf(ClientResult.Executed.class);
      assertThat(sent.tries()).isEqualTo(3);
      assertOneKey(server, sent);
    }
  }

  @Test
  void whoCancelsEndsTheTries() {
    CountDownLatch gate = new CountDownLatch(1);
    try (SocketServer server = script(SocketServer.silentUntil(gate), CREATED)) {
      CompletableFuture<ClientResult> sent = client(SETTINGS).sendLater(charge(server), "k1");
      await().until(() -> server.asked().size() == 1);
      assertThat(sent.cancel(true)).isTrue();
      gate.countDown();
      await().during(Duration.ofMillis(200)).until(() -> server.asked().size() == 1);
    }
  }

  /** The key must not be lost with the thread's time. */
  @Test
  void whoIsInterruptedGetsTheKeyAndStaysInterrupted() {
    try (SocketServer server = script(CREATED)) {
      Thread.currentThread().interrupt();
      ClientResult sent = send(server);
      assertThat(Thread.interrupted()).isTrue();
      assertThat(sent).isInstanceOf(ClientResult.GaveUp.class);
      assertThat(sent.key()).isNotEmpty();
      assertThat(((ClientResult.GaveUp) sent).reason()).contains("interrupted");
    }
  }

  @Test
  void noBodyIsSeenInWhatIsPrinted() {
    try (SocketServer server = script(CREATED)) {
      assertThat(send(server).toString()).doesNotContain("charge 1").doesNotContain("amount");
    }
  }
}

package dev.semel.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.Hmac;
import dev.semel.alert.Alert;
import dev.semel.alert.AlertRule;
import dev.semel.http.client.SocketServer;
import dev.semel.http.client.SocketServer.Asked;
import dev.semel.json.Json;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.junit.Patience;
import dev.semel.loop.Platform;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Over real sockets, to receivers of all kinds. */
class WebhookSenderTest {
  private static final String SECRET = "0123456789abcdef-secret";
  private static final Pattern SIGNATURE = Pattern.compile("t=(\\d+),hmac-sha256=([0-9a-f]{64})");

  private static final WebhookSettings QUICK =
      WebhookSettings.defaults()
          .withPauses(Duration.ofMillis(1), Duration.ofMillis(20))
          .withTimeout(Patience.LIMIT);

  private static Alert alert(int number, Alert.State state) {
    Instant began = Instant.parse("2026-01-01T00:00:00Z").plusSeconds(number);
    return new Alert(
        AlertRule.OUTBOX_LAG, "orders", state, began, began, 400, 300, "it has waited for 6m40s");
  }

  private static Alert alert(int number) {
    return alert(number, Alert.State.FIRING);
  }

  private static WebhookSender to(SocketServer server, WebhookSettings settings) {
    return WebhookSender.start(
        Platform.REAL, Webhook.to(server.uri().toString()).signedWith(SECRET), settings);
  }

  private static JsonObject body(Asked asked) {
    return (JsonObject) Json.parse(asked.body());
  }

  private static List<String> bodyIds(SocketServer server) {
    return server.asked().stream()
        .map(asked -> ((JsonValue.JsonString) body(asked).get("id").orElseThrow()).text())
        .toList();
  }

  @Test
  void anAlertArrivesSignedWithItsId() {
    try (SocketServer server = SocketServer.script(SocketServer.answer(204, ""));
        WebhookSender sender = to(server, QUICK)) {
      sender.tell(alert(1));
      await().until(() -> sender.counts().delivered() == 1);
      Asked asked = server.asked().getFirst();
      assertThat(asked.method()).isEqualTo("POST");
      assertThat(asked.header("Content-Type")).containsExactly("application/json");
      assertThat(body(asked).get("type")).contains(JsonValue.of("alert"));
      assertThat(body(asked).get("alert")).contains(alert(1).json());
      assertThat(server.keys()).isEqualTo(bodyIds(server));
      Matcher signature = SIGNATURE.matcher(asked.header(WebhookSender.SIGNATURE).getFirst());
      assertThat(signature.matches()).isTrue();
      byte[] signed =
          new Hmac(SECRET.getBytes(StandardCharsets.UTF_8))
              .sign((signature.group(1) + ".").getBytes(StandardCharsets.UTF_8), asked.body());
      assertThat(signature.group(2)).isEqualTo(HexFormat.of().formatHex(signed));
    }
  }

  @Test
  void beginningAndEndHaveIdsOfTheirOwnThatAreTheSameEverywhere() {
    try (SocketServer server = SocketServer.script(SocketServer.answer(200, "ok"));
        WebhookSender sender = to(server, QUICK);
        WebhookSender other = to(server, QUICK)) {
      sender.tell(alert(1));
      sender.tell(alert(1, Alert.State.RESOLVED));
      await().until(() -> sender.counts().delivered() == 2);
      other.tell(alert(1));
      await().until(() -> other.counts().delivered() == 1);
      List<String> keys = server.keys();
      assertThat(keys.get(0)).isNotEqualTo(keys.get(1)).isEqualTo(keys.get(2));
    }
  }

  @Test
  void whoAnswersTooLateGetsTheSameAgain() {
    CountDownLatch gate = new CountDownLatch(1);
    try (SocketServer server =
            SocketServer.script(SocketServer.silentUntil(gate), SocketServer.answer(200, "ok"));
        WebhookSender sender = to(server, QUICK.withTimeout(Duration.ofSeconds(3)))) {
      sender.tell(alert(1));
      await().until(() -> sender.counts().delivered() == 1);
      gate.countDown();
      assertThat(server.keys()).hasSizeGreaterThanOrEqualTo(2);
      assertThat(server.keys().stream().distinct()).hasSize(1);
      assertThat(server.asked().get(0).body()).isEqualTo(server.asked().get(1).body());
    }
  }

  @Test
  void whateverGoesWrongOnTheWayItIsSentAgain() {
    CountDownLatch gate = new CountDownLatch(1);
    try (SocketServer server =
            SocketServer.script(
                SocketServer.answer(500, "no"),
                SocketServer.answer(503, "no", "Retry-After: 0"),
                SocketServer.answer(429, "slower"),
                SocketServer.HANGS_UP,
                SocketServer.RESETS,
                SocketServer.STOPS_HALFWAY,
                SocketServer.stallsUntil(gate),
                SocketServer.answer(200, "ok"));
        WebhookSender sender = to(server, QUICK.withTimeout(Duration.ofSeconds(3)))) {
      sender.tell(alert(1));
      await().until(() -> sender.counts().delivered() == 1);
      gate.countDown();
      // At least: on a busy machine a receiver that answers may be too late, too.
      assertThat(server.asked()).hasSizeGreaterThanOrEqualTo(8);
      assertThat(server.keys().stream().distinct()).hasSize(1);
      assertThat(sender.counts().failed()).isGreaterThanOrEqualTo(7);
    }
  }

  @Test
  void whoAsksForAPauseGetsOne() {
    try (SocketServer server =
            SocketServer.script(
                SocketServer.answer(429, "", "Retry-After: 3600"), SocketServer.answer(200, ""));
        WebhookSender sender =
            to(server, QUICK.withPauses(Duration.ofMillis(1), Duration.ofHours(1)))) {
      sender.tell(alert(1));
      sender.tell(alert(2));
      await().until(() -> sender.counts().failed() == 1);
      assertThat(server.asked()).as("nor is another sent meanwhile").hasSize(1);
      assertThat(sender.counts().waiting()).isEqualTo(1);
    }
  }

  @Test
  void whatTheReceiverDoesNotWantIsNotSentAgainAndNoRedirectIsFollowed() {
    try (SocketServer elsewhere = SocketServer.script(SocketServer.answer(200, ""));
        SocketServer server =
            SocketServer.script(
                SocketServer.answer(400, "no"),
                SocketServer.answer(302, "", "Location: " + elsewhere.uri()),
                SocketServer.answer(200, ""));
        WebhookSender sender = to(server, QUICK)) {
      IntStream.range(0, 3).forEach(i -> sender.tell(alert(i)));
      await().until(() -> sender.counts().delivered() == 1);
      assertThat(sender.counts().refused()).isEqualTo(2);
      assertThat(server.asked()).hasSize(3);
      assertThat(elsewhere.asked()).isEmpty();
    }
  }

  @Test
  void whatIsTooMuchIsCountedAndHoldsNobodyUp() {
    CountDownLatch gate = new CountDownLatch(1);
    try (SocketServer server =
            SocketServer.script(
                (asked, socket) -> {
                  SocketServer.silentUntil(gate).answer(asked, socket);
                  SocketServer.answer(200, "").answer(asked, socket);
                });
        WebhookSender sender = to(server, QUICK.withMaxWaiting(5))) {
      sender.tell(alert(0));
      await().until(() -> !server.asked().isEmpty());
      IntStream.range(1, 20).forEach(i -> sender.tell(alert(i)));
      assertThat(sender.counts().overflowed()).isEqualTo(14);
      gate.countDown();
      await().until(() -> sender.counts().delivered() == 6);
    }
  }

  @Test
  void whatNobodyTakesIsGivenUp() {
    try (SocketServer server = SocketServer.script(SocketServer.answer(500, ""));
        WebhookSender sender = to(server, QUICK.withGiveUpAfter(Duration.ofMillis(100)))) {
      sender.tell(alert(1));
      await().until(() -> sender.counts().lost() == 1);
      assertThat(sender.counts().waiting()).isZero();
    }
  }
}

package dev.semel.server.subscription;

import static dev.semel.server.subscription.Harness.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.server.RawClient;
import dev.semel.server.subscription.Harness.Got;
import dev.semel.server.subscription.internal.http.SubscriptionHandler;
import dev.semel.server.subscription.internal.http.SubscriptionRoute;
import dev.semel.server.subscription.internal.http.WebhookOutlet;
import dev.semel.server.subscription.internal.rules.JsonFields;
import dev.semel.stream.MemoryStreams;
import dev.semel.stream.Offset;
import java.io.IOException;
import java.net.URI;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests of callers, their answers, and their limits. */
@Tag("service")
@Timeout(600)
final class ApiTest {
  private static final String POST_OF_A_WORKER =
      "POST /v1/stream/__ds/subscriptions/s/ack HTTP/1.1\r\nHost: localhost\r\n";

  private final Harness harness =
      new Harness(
          new MemoryStreams(InstantSource.system()),
          SubscriptionSettings.defaults()
              .withLoopbackWebhooks(true)
              .withLimits(SmallLimits.of(3, 4096, 4)),
          WebhookOutlet.ofThisMachine());
  private final Receiver receiver = new Receiver(harness.vertx);

  @AfterEach
  void close() {
    receiver.close();
    harness.close();
  }

  private String webhook(String more) {
    return "{\"type\":\"webhook\",\"webhook\":{\"url\":\"%s\"},%s}".formatted(receiver.url(), more);
  }

  private void refused(Got got, int status, String code) {
    assertThat(got.status()).as(got.text()).isEqualTo(status);
    assertThat(got.code()).isEqualTo(code);
    assertThat(got.body().findObject("error").orElseThrow().text("message")).isNotEmpty();
    assertThat(got.response().headers().firstValue("content-type")).contains("application/json");
    assertThat(got.response().headers().firstValue("x-content-type-options")).contains("nosniff");
    assertThat(got.response().headers().firstValue("cache-control")).contains("no-store");
  }

  @Test
  void aSubscriptionIsDescribed() {
    harness.create("a", "[1]");
    Got created =
        harness.put("s%20%C3%BC", webhook("\"streams\":[\"a\",\"/a/\"],\"description\":\"d\""));
    assertThat(created.status()).isEqualTo(201);
    JsonFields body = created.body();
    assertThat(body.text("id")).isEqualTo("s ü");
    assertThat(body.text("subscription_id")).isEqualTo("s ü");
    assertThat(body.text("type")).isEqualTo("webhook");
    assertThat(body.number("lease_ttl_ms")).isEqualTo(30_000);
    assertThat(body.text("created_at"))
        .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z");
    assertThat(body.text("status")).isEqualTo("active");
    assertThat(body.text("description")).isEqualTo("d");
    assertThat(body.list("streams")).hasSize(1);
    JsonFields webhook = body.findObject("webhook").orElseThrow();
    assertThat(webhook.text("url")).isEqualTo(receiver.url());
    assertThat(webhook.findObject("signing").orElseThrow().text("jwks_url"))
        .isEqualTo(harness.url("jwks.json"));
    assertThat(harness.get("s%20%C3%BC").text()).isEqualTo(created.text());
    Got head = harness.call("HEAD", harness.url("subscriptions/s%20%C3%BC"), "", "");
    assertThat(head.status()).isEqualTo(200);
    assertThat(head.text()).isEmpty();
  }

  @Test
  void theSameIsConfirmedAndAnotherIsNot() {
    assertThat(harness.put("s", webhook("\"pattern\":\"a/*\"")).status()).isEqualTo(201);
    assertThat(harness.put("s", webhook("\"pattern\":\"a/*\",\"lease_ttl_ms\":30000")).status())
        .isEqualTo(200);
    refused(harness.put("s", webhook("\"pattern\":\"b/*\"")), 409, "SUBSCRIPTION_ALREADY_EXISTS");
    refused(
        harness.put("s", webhook("\"pattern\":\"a/*\",\"description\":\"x\"")),
        409,
        "SUBSCRIPTION_ALREADY_EXISTS");
  }

  @Test
  void streamsAreAddedAndRemoved() {
    harness.put("s", webhook("\"streams\":[\"manual/a\"]"));
    Offset tail = harness.create("manual/b", "[1,2]");
    String streams = harness.url("subscriptions/s/streams");
    assertThat(harness.call("POST", streams, "{\"streams\":[\"manual/b\"]}", "").status())
        .isEqualTo(204);
    assertThat(harness.acked("s", "manual/b")).isEqualTo(tail.text());
    assertThat(harness.call("DELETE", streams + "/manual%2Fb", "", "").status()).isEqualTo(204);
    assertThat(harness.call("DELETE", streams + "/manual/b", "", "").status()).isEqualTo(204);
    assertThat(harness.acked("s", "manual/b")).isEmpty();
    assertThat(harness.acked("s", "manual/a")).isEqualTo(Offset.ZERO.text());
    refused(harness.call("POST", streams, "{\"streams\":[]}", ""), 400, "INVALID_REQUEST");
    refused(
        harness.call("POST", harness.url("subscriptions/no/streams"), "{\"streams\":[\"a\"]}", ""),
        404,
        "SUBSCRIPTION_NOT_FOUND");
    refused(
        harness.call("DELETE", harness.url("subscriptions/no/streams/a"), "", ""),
        404,
        "SUBSCRIPTION_NOT_FOUND");
  }

  @Test
  void badRequestsAreToldWhatIsWrong() {
    for (String body :
        List.of(
            "",
            "{",
            "[]",
            "{}",
            "{\"type\":\"x\",\"pattern\":\"a\"}",
            webhook("\"pattern\":7"),
            webhook("\"streams\":[]"),
            webhook("\"streams\":[1]"),
            webhook("\"streams\":[\"a/../b\"]"),
            webhook("\"streams\":[\"__ds/subscriptions\"]"),
            webhook("\"pattern\":\"__ds/**\""),
            webhook("\"pattern\":\"a\",\"lease_ttl_ms\":999"),
            webhook("\"pattern\":\"a\",\"lease_ttl_ms\":600001"),
            webhook("\"pattern\":\"a\",\"lease_ttl_ms\":1000.5"),
            webhook("\"pattern\":\"a\",\"lease_ttl_ms\":\"1000\""),
            webhook("\"pattern\":\"a\",\"description\":\"%s\"".formatted("x".repeat(1025))),
            "{\"type\":\"webhook\",\"pattern\":\"a\"}",
            "{\"type\":\"webhook\",\"pattern\":\"a\",\"webhook\":{}}",
            "{\"type\":\"pull-wake\",\"pattern\":\"a\"}",
            "{\"type\":\"pull-wake\",\"pattern\":\"a\",\"wake_stream\":\"missing\"}",
            "{\"type\":\"pull-wake\",\"streams\":[\"w\"],\"wake_stream\":\"w\"}")) {
      refused(harness.put("s", body), 400, "INVALID_REQUEST");
    }
    assertThat(harness.get("s").status()).isEqualTo(404);
  }

  @Test
  void webhooksIntoPrivateNetworksAreRefused() {
    for (String url :
        List.of("http://10.0.0.1/hook", "https://169.254.169.254/", "http://worker.example/")) {
      refused(
          harness.put(
              "s",
              "{\"type\":\"webhook\",\"pattern\":\"a\",\"webhook\":{\"url\":\"%s\"}}"
                  .formatted(url)),
          400,
          "WEBHOOK_URL_REJECTED");
    }
  }

  @Test
  void pathsAndMethodsThatAreNotThereAreToldSo() {
    harness.put("s", webhook("\"pattern\":\"a/*\""));
    for (String rest :
        List.of(
            "",
            "x",
            "subscriptions",
            "subscriptions/s/x",
            "subscriptions/s/ack/x",
            "jwks.json/x")) {
      refused(harness.call("GET", harness.url(rest), "", ""), 404, "SUBSCRIPTION_NOT_FOUND");
    }
    refused(
        harness.call("GET", harness.url("subscriptions/no"), "", ""),
        404,
        "SUBSCRIPTION_NOT_FOUND");
    refused(harness.call("GET", harness.url("subscriptions/"), "", ""), 400, "INVALID_REQUEST");
    refused(harness.call("GET", harness.url("subscriptions/%ff"), "", ""), 400, "INVALID_REQUEST");
    refused(harness.call("GET", harness.url("subscriptions/%1b"), "", ""), 400, "INVALID_REQUEST");
    for (String[] wrong :
        new String[][] {
          {"POST", "subscriptions/s"},
          {"POST", "jwks.json"},
          {"GET", "subscriptions/s/claim"},
          {"PUT", "subscriptions/s/streams"},
          {"POST", "subscriptions/s/streams/a"}
        }) {
      Got got = harness.call(wrong[0], harness.url(wrong[1]), "", "");
      refused(got, 405, "METHOD_NOT_ALLOWED");
      assertThat(got.response().headers().firstValue("allow")).isPresent();
    }
  }

  @Test
  void badAcknowledgementsAreRefused() {
    harness.create("w", "[]");
    harness.put("s", "{\"type\":\"pull-wake\",\"pattern\":\"a/*\",\"wake_stream\":\"w\"}");
    harness.create("a/1", "[1]");
    refused(harness.act("s", "claim", "", "{}"), 400, "INVALID_REQUEST");
    refused(harness.act("s", "claim", "", "{\"worker\":\"\"}"), 400, "INVALID_REQUEST");
    JsonFields claim = harness.act("s", "claim", "", "{\"worker\":\"one\"}").body();
    refused(harness.act("s", "ack", "", "{}"), 401, "TOKEN_INVALID");
    refused(harness.act("s", "ack", claim.text("token"), "{}"), 400, "INVALID_REQUEST");
    for (String offset : List.of("-1", "now", "7", "0000000000000000_0000000000000099")) {
      String body =
          "{\"wake_id\":\"%s\",\"generation\":%d,\"acks\":[{\"stream\":\"a/1\",\"offset\":\"%s\"}]}"
              .formatted(claim.text("wake_id"), claim.number("generation"), offset);
      refused(harness.act("s", "ack", claim.text("token"), body), 409, "INVALID_OFFSET");
    }
    assertThat(harness.acked("s", "a/1")).isEqualTo(Offset.ZERO.text());
  }

  @Test
  void limitsAreKept() {
    for (int i = 0; i < 4; i++) {
      harness.create("a/" + i, "[]");
    }
    refused(harness.put("s", webhook("\"pattern\":\"a/*\"")), 409, "LIMIT_REACHED");
    refused(
        harness.put("s", webhook("\"pattern\":\"a\",\"x\":\"%s\"".formatted("x".repeat(5000)))),
        413,
        "REQUEST_TOO_LARGE");
    harness.delete("a/3");
    assertThat(harness.put("s", webhook("\"pattern\":\"a/*\"")).status()).isEqualTo(201);
    harness.create("a/9", "[1]");
    eventually("told", () -> harness.get("s").text().contains("\"limit_reached\":true"));
  }

  /** A caller that keeps sending is cut off, after it could read the reason. */
  @Test
  void whoSendsOnAndOnIsCutOff() throws IOException {
    try (RawClient client = new RawClient(URI.create(harness.base()).getPort())) {
      client.send(POST_OF_A_WORKER + "Transfer-Encoding: chunked\r\n\r\n");
      client.send("2000\r\n" + "x".repeat(0x2000) + "\r\n");
      assertThat(client.rest()).startsWith("HTTP/1.1 413 ").contains("REQUEST_TOO_LARGE");
    }
  }

  /** The callers are unknown until their bodies have arrived. */
  @Test
  void moreBodiesThanAreHeldAreRefused() throws IOException {
    List<RawClient> clients = new ArrayList<>();
    int most = SubscriptionLimits.defaults().requestBytes();
    String half = POST_OF_A_WORKER + "Content-Length: " + most + "\r\n\r\n" + "x".repeat(most - 1);
    try (Harness large = new Harness()) {
      int port = URI.create(large.base()).getPort();
      try {
        for (int i = 0; i < SubscriptionHandler.MAX_HELD_BYTES / most; i++) {
          RawClient client = new RawClient(port);
          clients.add(client);
          client.send(half);
        }
        eventually(
            "all of it is there",
            () -> large.act("s", "ack", "token", "x".repeat(1000)).code().equals("UNAVAILABLE"));
      } finally {
        for (RawClient client : clients) {
          client.close();
        }
      }
      eventually(
          "those who hung up no longer count",
          () -> !large.act("s", "ack", "token", "x".repeat(1000)).code().equals("UNAVAILABLE"));
    }
  }

  @Test
  void moreHintsThanAreKeptMeanThatAllIsCompared() {
    harness.put("s", webhook("\"pattern\":\"b/*\""));
    receiver.answers(200, "{\"done\":true}");
    // Many at once, so that some find no room; none of them may be lost.
    for (int i = 0; i < 3; i++) {
      harness.createUnnoticed("b/" + i, "[1]");
    }
    for (int i = 0; i < 1000; i++) {
      harness.subscriptions().appended(World.path("c/" + i), Offset.ZERO);
    }
    for (int i = 0; i < 3; i++) {
      harness.subscriptions().appended(World.path("b/" + i), Offset.ZERO);
    }
    for (int i = 0; i < 3; i++) {
      String path = "b/" + i;
      eventually(path, () -> !List.of("", Offset.ZERO.text()).contains(harness.acked("s", path)));
    }
  }

  @Test
  void oneDeliveryAtATimeStillServesAll() {
    receiver.answers(200, "{\"done\":true}");
    for (int i = 0; i < 5; i++) {
      harness.put("s" + i, webhook("\"pattern\":\"a/*\""));
    }
    Offset tail = harness.create("a/1", "[1]");
    for (int i = 0; i < 5; i++) {
      String id = "s" + i;
      eventually(id, () -> harness.acked(id, "a/1").equals(tail.text()));
    }
  }

  @Test
  void wakeTokensAndPublicKeysNeedNoTokenOfTheServer() {
    assertThat(SubscriptionRoute.admission("GET", "jwks.json"))
        .isEqualTo(SubscriptionAccess.ANYONE);
    for (String path :
        List.of("subscriptions/s/callback", "subscriptions/s/ack", "subscriptions/s/release")) {
      assertThat(SubscriptionRoute.admission("POST", path))
          .as(path)
          .isEqualTo(SubscriptionAccess.WORKERS);
    }
    assertThat(SubscriptionRoute.admission("POST", "subscriptions/s/claim"))
        .isEqualTo(SubscriptionAccess.READERS);
    assertThat(SubscriptionRoute.admission("GET", "subscriptions/s"))
        .isEqualTo(SubscriptionAccess.READERS);
  }

  @Test
  void nameThatLooksLikeAnActionOpensNothing() {
    for (String path :
        List.of(
            "subscriptions/callback",
            "subscriptions/claim",
            "subscriptions/s/streams/ack",
            "subscriptions/s/streams",
            "x/release",
            "x")) {
      assertThat(SubscriptionRoute.admission("PUT", path))
          .as(path)
          .isEqualTo(SubscriptionAccess.OWNERS);
    }
  }
}

package dev.semel.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.http.HttpHeader;
import dev.semel.http.HttpRules;
import dev.semel.http.KeyRule;
import dev.semel.junit.Patience;
import dev.semel.server.RawClient;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Behaviour of a proxy beside guarding. */
@Tag("service")
class GatewayProxyTest {
  private static final int MEGABYTES = 100;

  private static Guarding guarding;

  @BeforeAll
  static void start() {
    guarding = Guarding.start();
  }

  @AfterAll
  static void stop() {
    guarding.close();
  }

  /** The request as the service saw it: method, address, headers in turn. */
  private static String head(Guarding through, String... headers) {
    return through.send("POST", "/head?a=%20b&c", "x", headers).body();
  }

  private static String raw(String request) throws IOException {
    try (RawClient client = new RawClient(guarding.gateway.port())) {
      client.send(request);
      return client.rest();
    }
  }

  @Test
  void theServiceIsToldWhereTheRequestComesFrom() {
    String authority = guarding.uri().getAuthority();
    String seen = head(guarding, "X-Forwarded-For", "6.6.6.6", "Forwarded", "for=6.6.6.6");
    assertThat(seen)
        .contains("\"url\":\"/head?a=%20b&c\"", "\"X-Forwarded-For\",\"127.0.0.1\"")
        .contains("\"X-Forwarded-Host\",\"" + authority + "\"", "\"X-Forwarded-Proto\",\"http\"")
        .contains("\"Via\",\"1.1 semel\"", "for=127.0.0.1;host=", "proto=http")
        .containsIgnoringCase("\"Host\",\"127.0.0.1:" + guarding.backend.port() + "\"")
        .doesNotContain("6.6.6.6");
  }

  @Test
  void behindAnotherProxyItsWordIsPassedOn() {
    try (Guarding behind =
        Guarding.with(
            settings ->
                settings.withCallers(
                    Optional.empty(), new GatewaySettings.Forwarding(true, true)))) {
      String seen =
          head(behind, "X-Forwarded-For", "6.6.6.6", "X-Forwarded-Proto", "https", "Via", "1.1 a");
      assertThat(seen)
          .contains("\"6.6.6.6, 127.0.0.1\"", "\"X-Forwarded-Proto\",\"https\"")
          .contains("\"1.1 a, 1.1 semel\"")
          .containsIgnoringCase("\"Host\",\"" + behind.uri().getAuthority() + "\"");
    }
  }

  @Test
  void whatBelongsToOneConnectionStaysThere() throws IOException {
    String answer =
        raw(
            String.join(
                "\r\n",
                "GET /head HTTP/1.1",
                "Host: a",
                "Connection: close, X-Mine",
                "X-Mine: secret",
                "Keep-Alive: 5",
                "TE: trailers",
                "Proxy-Authorization: secret",
                "Upgrade: h2c",
                "X-Ours: kept",
                "",
                ""));
    assertThat(answer)
        .contains("200 OK", "\"X-Ours\",\"kept\"")
        .doesNotContain("secret", "X-Mine", "h2c", "trailers")
        .doesNotContainIgnoringCase("\"Keep-Alive\",\"5\"");
  }

  /** The service may have seen its beginning, but no end. */
  @Test
  void brokenChunksWithoutAKeyAreRefusedTooAndNeverWhole() throws IOException {
    long before = guarding.backend.executions("/refund");
    String head = "POST /refund HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked";
    String answer = raw(String.join("\r\n", head, "", "1", "x", "zz", ""));
    assertThat(answer).startsWith("HTTP/1.1 400 ").contains("malformed");
    assertThat(guarding.backend.executions("/refund")).isEqualTo(before);
  }

  /** RFC 9112 allows a proxy to do so: the next reader sees one line, as we did. */
  @Test
  void aFoldedLineIsPassedOnAsOne() throws IOException {
    String answer =
        raw(
            "POST /head HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 1\r\n"
                + "Idempotency-Key: folded\r\n \tkey\r\n\r\nx");
    assertThat(answer).contains("200 OK", "Idempotency-Key: folded key", "\"folded key\"");
  }

  @Test
  void theServiceIsToldTheKeyAndTheAttempt() {
    String spoofed =
        head(
            guarding,
            HttpHeader.KEY,
            "\"k-head\"",
            HeaderRules.EFFECT_KEY,
            "stolen",
            HeaderRules.ATTEMPT,
            "9");
    assertThat(spoofed)
        .contains("\"Semel-Effect-Key\",\"semel-", "\"Semel-Attempt\",\"1\"", "\\\"k-head\\\"")
        .doesNotContain("stolen");
    assertThat(head(guarding, HeaderRules.EFFECT_KEY, "stolen")).doesNotContain("stolen");
  }

  /** CGI reads an underscore as a hyphen. */
  @Test
  void headersThatReadAsOthersBehindCgiDoNotPass() {
    String[] spoofed = {
      "Semel_Effect_Key", "stolen",
      "X_Forwarded_For", "stolen",
      "X-Forwarded_For", "stolen",
      "Idempotency_Key", "stolen",
      "Content_Length", "stolen"
    };
    String[] all = Arrays.copyOf(spoofed, spoofed.length + 2);
    all[spoofed.length] = "account_id";
    all[spoofed.length + 1] = "mine";
    assertThat(head(guarding, all)).doesNotContain("stolen", "mine");
    GatewaySettings.Forwarding passing = new GatewaySettings.Forwarding(false, false, true);
    try (Guarding allowing =
        Guarding.with(settings -> settings.withCallers(Optional.of("X_Tenant"), passing))) {
      assertThat(head(allowing, all)).doesNotContain("stolen").contains("\"account_id\",\"mine\"");
      assertThat(head(allowing, "X_Tenant", "ours", "X-Tenant", "stolen"))
          .contains("\"X_Tenant\",\"ours\"")
          .doesNotContain("stolen");
    }
  }

  @Test
  void aKeyThatWasMadeForTheCallerIsPassedOnAndTold() {
    try (Guarding making =
        Guarding.with(
            settings ->
                settings.withRules(
                    HttpRules.of("http").withKeyRule(KeyRule.GENERATED), List.of()))) {
      HttpResponse<String> answer = making.send("POST", "/head", "x");
      String key = Guarding.header(answer, HttpHeader.KEY);
      assertThat(key).hasSize(36);
      assertThat(answer.body()).contains("\"Idempotency-Key\",\"" + key + "\"");
    }
  }

  @Test
  void onlyTheNamedPathsAreGuarded() {
    try (Guarding some =
        Guarding.with(
            settings ->
                settings.withRules(
                    HttpRules.of("http").withKeyRule(KeyRule.REQUIRED), List.of("/charge")))) {
      assertThat(some.send("POST", "/charge", "x").statusCode()).isEqualTo(400);
      assertThat(some.send("POST", "/charge/more", "x").statusCode()).isEqualTo(400);
      assertThat(some.send("POST", "/refund", "x").statusCode()).isEqualTo(201);
      assertThat(some.send("POST", "/chargeable", "x").statusCode()).isEqualTo(404);
    }
  }

  @Test
  void theTenantIsTheOneThatItsHeaderNamesElseTheCallersSecret() {
    try (Guarding named =
        Guarding.with(
            settings ->
                settings.withCallers(
                    Optional.of("X-Tenant"), new GatewaySettings.Forwarding(false, false)))) {
      String[][] callers = {
        {}, {"Authorization", "Bearer a"}, {"Authorization", "Bearer b"},
        {"X-Tenant", "shop"}, {"X-Tenant", "other"}, {"X-Tenant", "Zo\u00eb & co"}
      };
      for (String[] caller : callers) {
        String[] headers = new String[caller.length + 2];
        System.arraycopy(caller, 0, headers, 0, caller.length);
        headers[caller.length] = HttpHeader.KEY;
        headers[caller.length + 1] = "k";
        for (int i = 0; i < 2; i++) {
          HttpResponse<String> answer = named.send("POST", "/charge", "x", headers);
          assertThat(answer.statusCode()).isEqualTo(201);
          assertThat(Guarding.isReplay(answer)).isEqualTo(i == 1);
        }
      }
      assertThat(named.backend.executions("/charge")).isEqualTo(callers.length);
      assertThat(
              named
                  .send(
                      "POST",
                      "/charge",
                      "x",
                      HttpHeader.KEY,
                      "k",
                      "X-Tenant",
                      "shop",
                      "Authorization",
                      "Bearer new")
                  .body())
          .contains("\"number\":4");
      assertThat(named.store.catalog().list("", "", 10).entries().toString())
          .contains("shop/http:k", "default/http:k")
          .doesNotContain("Bearer");
    }
  }

  @Test
  void itsOwnHealthIsBesideTheServicesPaths() {
    assertThat(guarding.send("GET", "/.semel/healthz", "").body()).isEqualTo("{\"status\":\"ok\"}");
    assertThat(guarding.send("GET", "/.semel/readyz", "").body())
        .isEqualTo("{\"status\":\"ready\"}");
    assertThat(guarding.send("GET", "/.semel/other", "").statusCode()).isEqualTo(404);
    assertThat(guarding.send("POST", "/.semel/healthz", "x").statusCode()).isEqualTo(405);
    assertThat(guarding.send("GET", "/healthz", "").body()).isEmpty(); // the service's 404
  }

  @Test
  void answersWithoutABodyStayWithout() throws IOException {
    String of = " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    assertThat(raw("HEAD /large?bytes=5000" + of))
        .contains("200 OK")
        .containsIgnoringCase("content-length: 5000")
        .endsWith("\r\n\r\n");
    assertThat(raw("GET /status/204" + of))
        .contains("204")
        .doesNotContainIgnoringCase("transfer-encoding")
        .endsWith("\r\n\r\n");
    assertThat(raw("GET /status/304" + of)).contains("304").endsWith("\r\n\r\n");
    assertThat(raw("GET /chunked?bytes=5 HTTP/1.0\r\n\r\n"))
        .contains("200 OK")
        .doesNotContainIgnoringCase("transfer-encoding")
        .endsWith("\r\n\r\n\u0000\u0001\u0002\u0003\u0004");
  }

  @Test
  void whoExpectsToContinueMay() throws IOException {
    for (String key : new String[] {"", "Idempotency-Key: expecting\r\n"}) {
      try (RawClient client = new RawClient(guarding.gateway.port())) {
        client.send(
            "POST /charge HTTP/1.1\r\nHost: a\r\nConnection: close\r\nExpect: 100-continue\r\n"
                + key
                + "Content-Length: 1\r\n\r\n");
        assertThat(client.line()).contains("100 Continue");
        client.send("x");
        assertThat(client.rest()).contains("201 Created", "\"bytes\":1");
      }
    }
  }

  @Test
  void connectionsToTheServiceAreUsedAgain() {
    try (Guarding fresh = Guarding.with(settings -> settings.withEventLoops(1))) {
      for (int i = 0; i < 25; i++) {
        assertThat(fresh.click("/charge", "k" + i).statusCode()).isEqualTo(201);
        assertThat(fresh.send("POST", "/charge", "x").statusCode()).isEqualTo(201);
      }
      // One of them is the test's own question.
      assertThat(fresh.backend.seen("connections")).isEqualTo(2);
      assertThat(fresh.backend.seen("requests")).isEqualTo(50);
    }
  }

  /** The service announces five seconds; at their end its close would cross our request. */
  @Test
  void aConnectionIsNotUsedForAsLongAsTheServiceKeepsIt() {
    try (Guarding fresh =
        Guarding.with(
            settings ->
                settings.withLimits(settings.limits().withKeepAlive(Duration.ofSeconds(1))))) {
      for (int i = 1; i <= 3; i++) {
        assertThat(fresh.click("/charge", "k" + i).statusCode()).isEqualTo(201);
        Patience.pass(Duration.ofMillis(1100)); // this test is about time
        assertThat(fresh.send("POST", "/charge", "x").statusCode()).isEqualTo(201);
        Patience.pass(Duration.ofMillis(1100));
      }
      assertThat(fresh.backend.seen("connections")).isEqualTo(6 + 1);
    }
  }

  @Test
  void aLargeBodyWithoutAKeyIsNeverHeldWhole() throws Exception {
    try (RawClient client = new RawClient(guarding.gateway.port())) {
      client.send(
          "POST /swallow HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: "
              + ((long) MEGABYTES << 20)
              + "\r\n\r\n");
      String megabyte = "x".repeat(1 << 20);
      for (int i = 0; i < MEGABYTES; i++) {
        assertThat(client.send(megabyte)).isTrue();
        if (i == MEGABYTES / 2) {
          // Half is on its way: the rest fits into the buffers between.
          await()
              .until(() -> guarding.backend.seen("received") > ((long) (MEGABYTES / 2 - 16) << 20));
        }
      }
      assertThat(client.rest()).endsWith(Integer.toString(MEGABYTES << 20));
    }
  }

  /** The service writes as fast as it can. */
  @Test
  void aCallerThatDoesNotReadHoldsTheServiceUp() throws Exception {
    try (RawClient client = new RawClient(guarding.gateway.port())) {
      client.send(
          "GET /pour?megabytes=" + MEGABYTES + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
      assertThat(client.line()).contains("200 OK");
      await()
          .during(Duration.ofMillis(500))
          .until(() -> guarding.backend.seen("poured") < MEGABYTES / 2);
      InputStream in = client.socket().getInputStream();
      long read = in.transferTo(java.io.OutputStream.nullOutputStream());
      assertThat(read).isGreaterThan((long) (MEGABYTES - 1) << 20);
      assertThat(guarding.backend.seen("poured")).isEqualTo(MEGABYTES);
    }
  }
}

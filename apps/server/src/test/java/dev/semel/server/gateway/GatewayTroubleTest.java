package dev.semel.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.http.HttpRules;
import dev.semel.http.KeptStatuses;
import dev.semel.junit.Patience;
import dev.semel.server.RawClient;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The state of a key when the service disappears before or after it got the request. */
@Tag("service")
class GatewayTroubleTest {
  private static final Duration TIMEOUT = Duration.ofMillis(700);

  /** Records every answer, so that no status releases a key. */
  private static GatewaySettings keeping(GatewaySettings settings) {
    return settings.withRules(
        HttpRules.of("http").withKept(new KeptStatuses(true, true, Set.of())), List.of());
  }

  private static void assertInDoubt(HttpResponse<String> answer, int status) {
    assertThat(answer.statusCode()).isEqualTo(status);
    assertThat(answer.body()).contains("urn:semel:problem:outcome-in-doubt");
    assertThat(Guarding.header(answer, "Content-Type")).isEqualTo("application/problem+json");
    assertThat(Guarding.header(answer, "Retry-After")).isEmpty();
  }

  /** An unknown outcome leaves the key with the shortest possible lease. */
  private static HttpResponse<String> clickOnceSettled(Guarding guarding, String path) {
    return await()
        .until(
            () -> guarding.click(path, "k"),
            answer -> !answer.body().contains("request-in-flight"));
  }

  @Test
  void whereNothingWasSentTheKeyIsGivenBack() {
    NodeBackend first = NodeBackend.start();
    try (Guarding guarding = Guarding.before(first, GatewayTroubleTest::keeping)) {
      first.kill();

      for (int i = 0; i < 2; i++) {
        HttpResponse<String> refused = guarding.click("/charge", "k");
        assertThat(refused.statusCode()).isEqualTo(502);
        assertThat(refused.body()).contains("upstream-unreachable", "nothing was sent");
        assertThat(Guarding.header(refused, "Idempotency-Key")).isEqualTo("k");
      }

      try (NodeBackend second = NodeBackend.start(first.port())) {
        HttpResponse<String> answer = guarding.click("/charge", "k");
        assertThat(answer.statusCode()).isEqualTo(201);
        assertThat(Guarding.isReplay(answer)).isFalse();
        assertThat(Guarding.isReplay(guarding.click("/charge", "k"))).isTrue();
        assertThat(second.executions("/charge")).isEqualTo(1);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/break/hang-up", "/break/half", "/break/die"})
  void whatWasSentAndNotAnsweredIsInDoubt(String path) {
    try (Guarding guarding = Guarding.with(GatewayTroubleTest::keeping)) {
      assertInDoubt(guarding.click(path, "k"), 502);
      assertInDoubt(clickOnceSettled(guarding, path), 409);
      if (!path.equals("/break/die")) {
        assertThat(guarding.backend.executions(path)).isEqualTo(1);
      }
    }
  }

  @Test
  void silenceIsInDoubtToo() {
    try (Guarding guarding =
        Guarding.with(
            settings ->
                settings.withLimits(
                    settings.limits().withTimeouts(Duration.ofSeconds(5), TIMEOUT)))) {
      assertInDoubt(guarding.click("/break/silence", "k"), 504);
      assertInDoubt(clickOnceSettled(guarding, "/break/silence"), 409);
      assertThat(guarding.backend.executions("/break/silence")).isEqualTo(1);

      HttpResponse<String> keyless = guarding.send("POST", "/break/silence", "x");
      assertThat(keyless.statusCode()).isEqualTo(504);
      assertThat(keyless.body()).contains("upstream-timeout");
      assertThat(guarding.click("/charge", "other").statusCode()).isEqualTo(201);
    }
  }

  @Test
  void anAnswerTooLargeToKeepThatBreaksOffIsInDoubtAndDoesNotLookWhole() throws IOException {
    try (Guarding guarding = Guarding.start()) {
      CompletableFuture<HttpResponse<String>> first =
          guarding.clickLater("/break/half-of-much", "k");
      await().until(first::isDone);
      assertThat(first).isCompletedExceptionally();
      await()
          .untilAsserted(
              () -> assertInDoubt(clickOnceSettled(guarding, "/break/half-of-much"), 409));
      assertThat(guarding.backend.executions("/break/half-of-much")).isEqualTo(1);

      CompletableFuture<HttpResponse<String>> keyless =
          guarding.sendLater("POST", "/break/half-of-much", "x");
      await().until(keyless::isDone);
      assertThat(keyless).isCompletedExceptionally();
    }
  }

  @Test
  void theServiceKilledWhileItWorksLeavesTheKeyInDoubt() {
    try (Guarding guarding = Guarding.start()) {
      CompletableFuture<HttpResponse<String>> first =
          guarding.clickLater("/charge", "k", "X-Gate", "never");
      await().until(() -> guarding.backend.executions("/charge") == 1);
      guarding.backend.kill();
      assertInDoubt(first.join(), 502);
      assertInDoubt(clickOnceSettled(guarding, "/charge"), 409);
    }
  }

  /**
   * The service answers the first request and closes the connection when the second one has
   * arrived.
   */
  @Test
  void aConnectionThatDiesWhenItIsUsedAgainMayHaveCarriedTheRequest() throws Exception {
    try (ServerSocket service = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        Guarding guarding = Guarding.to(service.getLocalPort())) {
      CompletableFuture<Void> served =
          CompletableFuture.runAsync(
              () -> {
                try (Socket connection = service.accept()) {
                  readHead(connection.getInputStream());
                  connection
                      .getOutputStream()
                      .write(
                          "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
                              .getBytes(StandardCharsets.US_ASCII));
                  readHead(connection.getInputStream());
                } catch (IOException e) {
                  throw new java.io.UncheckedIOException(e);
                }
              });
      assertThat(guarding.send("GET", "/", "").body()).isEqualTo("ok");
      assertInDoubt(guarding.click("/charge", "k"), 502);
      served.join();
      assertInDoubt(clickOnceSettled(guarding, "/charge"), 409);
    }
  }

  /** Nobody requested another protocol, so the rest can't be told from an answer. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
        "no HTTP at all\r\n\r\n"
      })
  void anAnswerThatIsNoneIsInDoubt(String answer) throws Exception {
    try (ServerSocket service = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        Guarding guarding = Guarding.to(service.getLocalPort())) {
      for (int i = 0; i < 2; i++) {
        CompletableFuture<Void> served = CompletableFuture.runAsync(() -> answer(service, answer));
        if (i == 0) {
          assertInDoubt(guarding.click("/charge", "k"), 502);
        } else {
          assertThat(guarding.send("POST", "/charge", "x").statusCode()).isEqualTo(502);
        }
        served.join();
      }
    }
  }

  @Test
  void anAnswerThatComesBeforeTheWholeRequestIsPassedOn() throws Exception {
    try (ServerSocket service = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        Guarding guarding = Guarding.to(service.getLocalPort());
        RawClient client = new RawClient(guarding.gateway.port())) {
      CompletableFuture<Void> served =
          CompletableFuture.runAsync(
              () -> answer(service, "HTTP/1.1 413 No\r\nContent-Length: 2\r\n\r\nno"));
      client.send("POST /charge HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\nx");
      assertThat(client.line()).contains(" 413 ");
      assertThat(client.rest()).endsWith("no");
      served.join();
    }
  }

  /** The head comes before the whole request, and the body long after: that is an answer, too. */
  @Test
  void anAnswerThatHasBegunMayTakeItsTime() throws Exception {
    try (ServerSocket service = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        Guarding guarding =
            Guarding.with(
                settings ->
                    GatewaySettings.to(Upstream.parse("http://127.0.0.1:" + service.getLocalPort()))
                        .withAddress("127.0.0.1", 0, false)
                        .withEventLoops(1)
                        .withLimits(
                            settings.limits().withTimeouts(Duration.ofSeconds(5), TIMEOUT)));
        RawClient client = new RawClient(guarding.gateway.port())) {
      CompletableFuture<Void> begun = new CompletableFuture<>();
      CompletableFuture<Void> served =
          CompletableFuture.runAsync(
              () -> {
                try (Socket connection = service.accept()) {
                  readHead(connection.getInputStream());
                  say(connection, "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n");
                  begun.complete(null);
                  assertThat(connection.getInputStream().readNBytes(2)).hasSize(2);
                  Patience.pass(TIMEOUT.multipliedBy(2));
                  say(connection, "late");
                } catch (IOException e) {
                  throw new java.io.UncheckedIOException(e);
                }
              });
      client.send(
          "POST /charge HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 2\r\n\r\nx");
      begun.join();
      Patience.pass(TIMEOUT.dividedBy(3)); // it is on its way to the gateway
      client.send("x");
      assertThat(client.rest()).startsWith("HTTP/1.1 200 OK").endsWith("late");
      served.join();
    }
  }

  private static void say(Socket connection, String text) throws IOException {
    connection.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
  }

  private static void answer(ServerSocket service, String answer) {
    try (Socket connection = service.accept()) {
      readHead(connection.getInputStream());
      connection.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
      connection.shutdownOutput();
      connection.getInputStream().transferTo(java.io.OutputStream.nullOutputStream());
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static void readHead(InputStream in) throws IOException {
    int line = 0;
    for (int b = in.read(); b >= 0; b = in.read()) {
      if (b == '\n' && line == 0) {
        return;
      }
      line = b == '\n' ? 0 : b == '\r' ? line : line + 1;
    }
  }

  @Test
  void moreThanItTakesIsRefusedAndNothingIsDone() {
    try (Guarding guarding =
        Guarding.with(settings -> settings.withLimits(settings.limits().withGuarded(1)))) {
      CompletableFuture<HttpResponse<String>> first =
          guarding.clickLater("/charge", "k", "X-Gate", "g");
      await().until(() -> guarding.backend.executions("/charge") == 1);

      HttpResponse<String> refused = guarding.click("/charge", "k2");
      assertThat(refused.statusCode()).isEqualTo(503);
      assertThat(Guarding.header(refused, "Retry-After")).isEqualTo("1");
      assertThat(refused.body()).contains("gateway-busy");
      assertThat(guarding.keys()).isEqualTo(1);

      guarding.backend.get("/open?gate=g");
      assertThat(first.join().statusCode()).isEqualTo(201);
      // The place becomes free after the answer, so the next caller may come too early.
      await().until(() -> guarding.click("/charge", "k2").statusCode() == 201);
    }
  }

  @Test
  void moreOfBodiesThanItHoldsIsRefusedAndNothingIsDone() {
    String body = "x".repeat(100);
    try (Guarding guarding =
        Guarding.with(settings -> settings.withLimits(settings.limits().withHeldBytes(99)))) {
      HttpResponse<String> refused = guarding.send("POST", "/charge", body, "Idempotency-Key", "k");
      assertThat(refused.statusCode()).isEqualTo(503);
      assertThat(Guarding.header(refused, "Retry-After")).isEqualTo("1");
      assertThat(refused.body()).contains("held-bytes", "99 bytes");
      assertThat(guarding.keys()).isZero();
      for (int i = 0; i < 10; i++) { // held bytes are released
        assertThat(guarding.click("/charge", "k" + i).statusCode()).isEqualTo(201);
      }
    }
  }

  @Test
  void closingWaitsForWhatIsUnderWayAndCutsOffTheRest() {
    Guarding guarding = Guarding.with(settings -> settings.withGrace(Duration.ofSeconds(4)));
    try {
      CompletableFuture<HttpResponse<String>> soon =
          guarding.clickLater("/charge", "soon", "X-Wait", "300");
      CompletableFuture<HttpResponse<String>> never =
          guarding.clickLater("/refund", "never", "X-Gate", "never");
      await()
          .until(
              () ->
                  guarding.backend.executions("/charge") == 1
                      && guarding.backend.executions("/refund") == 1);
      guarding.gateway.close();
      assertThat(soon.join().statusCode()).isEqualTo(201);
      await().until(never::isDone);
      assertThat(guarding.store.catalog().list("", "", 10).entries())
          .hasSize(2)
          .anySatisfy(e -> assertThat(e.toString()).contains("soon", "COMPLETED"))
          .anyMatch(e -> e.key().id().equals("never") && e.leaseEnded());
    } finally {
      guarding.close();
    }
  }
}

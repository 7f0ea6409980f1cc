package dev.semel.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.server.RawClient;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Hostile input is refused or cut off, and reaches neither the service nor the store. */
@Tag("service")
class HostileGatewayTest {
  private static final int MAX_BODY = 100_000;
  private static final String KEY = "Idempotency-Key: k\r\n";
  private static final String SMUGGLED =
      "POST /smuggled HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n";

  private static Guarding guarding;

  @BeforeAll
  static void start() {
    guarding =
        Guarding.with(
            settings ->
                settings
                    .withRules(settings.rules().withMaxRequestBytes(MAX_BODY), settings.paths())
                    .withLimits(settings.limits().withBodyTimeout(Duration.ofMillis(300))));
  }

  @AfterAll
  static void stop() {
    guarding.close();
  }

  @AfterEach
  void nobodyHeardOfItAndTheNextOneIsServed() {
    assertThat(guarding.backend.seen("requests")).isZero();
    assertThat(guarding.keys()).isZero();
    assertThat(guarding.send("GET", "/.semel/healthz", "").statusCode()).isEqualTo(200);
  }

  private static String post(String headers, String body) {
    return "POST /charge HTTP/1.1\r\nHost: a\r\n" + headers + "\r\n" + body;
  }

  private static DynamicTest refused(String name, String request, int... statuses) {
    return DynamicTest.dynamicTest(
        name,
        () -> {
          try (RawClient client = new RawClient(guarding.gateway.port())) {
            client.send(request);
            String line = client.line();
            assertThat(line).isNotEmpty();
            assertThat(Integer.parseInt(line.split(" ", -1)[1]))
                .as(line)
                .isIn(Arrays.stream(statuses).boxed().toList());
          }
        });
  }

  /** With a key and without, because whole bodies and streamed ones take different paths. */
  private static Stream<DynamicTest> bothWays(Map<String, String[]> requests, int status) {
    return requests.entrySet().stream()
        .flatMap(
            e ->
                Stream.of(
                    refused(e.getKey(), post(e.getValue()[0], e.getValue()[1]), status),
                    refused(
                        e.getKey() + ", with a key",
                        post(KEY + e.getValue()[0], e.getValue()[1]),
                        status)));
  }

  @TestFactory
  Stream<DynamicTest> lengthsThatCouldBeReadInTwoWaysAreRefused() {
    Map<String, String[]> requests = new LinkedHashMap<>();
    requests.put(
        "length and chunks",
        new String[] {
          "Content-Length: 6\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n" + SMUGGLED
        });
    requests.put(
        "chunks and length",
        new String[] {
          "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n",
          Integer.toHexString(SMUGGLED.length()) + "\r\n" + SMUGGLED + "\r\n0\r\n\r\n"
        });
    requests.put("two lengths", new String[] {"Content-Length: 1\r\nContent-Length: 2\r\n", "xx"});
    requests.put(
        "the same length twice", new String[] {"Content-Length: 1\r\nContent-Length: 1\r\n", "x"});
    requests.put("list of lengths", new String[] {"Content-Length: 1, 1\r\n", "x"});
    requests.put("signed length", new String[] {"Content-Length: +1\r\n", "x"});
    requests.put("negative length", new String[] {"Content-Length: -1\r\n", "x"});
    requests.put("length in hex", new String[] {"Content-Length: 0x1\r\n", "x"});
    requests.put("blank before a colon", new String[] {"Content-Length : 1\r\n", "x"});
    requests.put(
        "other coding", new String[] {"Transfer-Encoding: xchunked\r\n", "1\r\nx\r\n0\r\n\r\n"});
    requests.put(
        "two codings",
        new String[] {"Transfer-Encoding: gzip, chunked\r\n", "1\r\nx\r\n0\r\n\r\n"});
    requests.put(
        "chunked twice",
        new String[] {
          "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", "1\r\nx\r\n0\r\n\r\n"
        });
    requests.put(
        "coding with a tab",
        new String[] {"Transfer-Encoding: \u000bchunked\r\n", "1\r\nx\r\n0\r\n\r\n"});
    return bothWays(requests, 400);
  }

  @TestFactory
  Stream<DynamicTest> headsThatAreNoneAreRefused() {
    return Stream.of(
        refused("no HTTP", "\u0016\u0003\u0001\u0002\u0000\u0001\r\n\r\n", 400),
        refused("bare line feeds", "POST /charge HTTP/1.1\nHost: a\nContent-Length: 1\n\nx", 400),
        refused("no host", "POST /charge HTTP/1.1\r\nContent-Length: 1\r\n\r\nx", 400),
        refused("two hosts", post("Host: b\r\nContent-Length: 1\r\n", "x"), 400),
        refused("folded length", post("Content-Length:\r\n 1\r\n" + KEY, "x"), 400),
        refused(
            "folded coding",
            post("Content-Length: 5\r\nTransfer-Encoding:\r\n chunked\r\n", "0\r\n\r\n"),
            400),
        refused("zero byte", post("X-A: b\u0000c\r\nContent-Length: 1\r\n", "x"), 400),
        refused("bare return", post("X-A: b\rX-B: c\r\nContent-Length: 1\r\n", "x"), 400),
        refused("a blank in the path", "POST /cha rge HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        refused("bytes in the path", "POST /\u00ff\u00fe HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        refused("fragment", "POST /charge#a HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        refused("other host", "POST http://b/charge HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        refused("other server", "POST http://b/charge HTTP/1.1\r\nHost: b\r\n\r\n", 421),
        refused("other server, no host", "POST http://b/charge HTTP/1.0\r\n\r\n", 421),
        refused(
            "a user",
            "POST http://a@localhost/charge HTTP/1.1\r\nHost: a@localhost\r\n\r\n",
            400,
            421),
        refused("no path", "POST charge HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        refused("star", "POST * HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        refused("tunnel", "CONNECT b:80 HTTP/1.1\r\nHost: b:80\r\n\r\n", 400, 501),
        refused("trace", "TRACE /charge HTTP/1.1\r\nHost: a\r\n\r\n", 501),
        refused(
            "web socket",
            String.join(
                "\r\n",
                "GET /charge HTTP/1.1",
                "Host: a",
                "Connection: Upgrade",
                "Upgrade: websocket",
                "Sec-WebSocket-Version: 13",
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
                "",
                ""),
            501),
        refused("expectation", post("Expect: miracles\r\nContent-Length: 1\r\n", "x"), 417));
  }

  @TestFactory
  Stream<DynamicTest> whatIsTooMuchIsRefused() {
    return Stream.of(
        refused("many headers", post("X-Flood: x\r\n".repeat(5_000), ""), 431),
        refused("long header", post("X-Long: " + "x".repeat(100_000) + "\r\n", ""), 431),
        refused(
            "long address", "POST /" + "x".repeat(100_000) + " HTTP/1.1\r\nHost: a\r\n\r\n", 414),
        refused("long key", post("Idempotency-Key: " + "k".repeat(5_000) + "\r\n", ""), 400),
        refused(
            "declared body", post(KEY + "Content-Length: " + (MAX_BODY + 1) + "\r\n", "x"), 413),
        refused(
            "growing body",
            post(
                KEY + "Transfer-Encoding: chunked\r\n",
                ("8000\r\n" + "x".repeat(0x8000) + "\r\n").repeat(4)),
            413));
  }

  @TestFactory
  Stream<DynamicTest> keysThatAreNoneAreRefused() {
    return Stream.of(
            "Idempotency-Key: a\r\nIdempotency-Key: b\r\n",
            "Idempotency-Key: a\r\nIdempotency-Key: a\r\n",
            "Idempotency-Key: a\r\n".repeat(100),
            "Idempotency-Key: a, b\r\n",
            "Idempotency-Key:\r\n",
            "Idempotency-Key: \"\"\r\n",
            "Idempotency-Key: \"a\r\n",
            "Idempotency-Key: \"a\\\\x\" b\r\n",
            "Idempotency-Key: a\rLocation: b\r\n",
            "Idempotency-Key: \u00c3(\r\n",
            "Idempotency-Key: \u00ff\r\n",
            KEY + "Authorization: a\r\nAuthorization: b\r\n",
            KEY + "Connection: close, Idempotency-Key\r\n",
            KEY + "Connection: Authorization\r\nAuthorization: a\r\n",
            "Connection: Content-Length\r\n")
        .map(
            headers ->
                refused(
                    headers.substring(0, Math.min(60, headers.length())).replace("\r\n", " | "),
                    post(headers + "Content-Length: 1\r\n", "x"),
                    400));
  }

  @TestFactory
  Stream<DynamicTest> brokenChunksAreRefused() {
    return Stream.of(
            "zz\r\nx\r\n0\r\n\r\n",
            "-1\r\nx\r\n0\r\n\r\n",
            "3\r\nabcXX\r\n0\r\n\r\n",
            "3\r\nabc0\r\n\r\n",
            "1\r\nx\r\n-0\r\n\r\n" + SMUGGLED,
            "1\nx\n0\n\n",
            "fffffffffffffffff\r\nx\r\n0\r\n\r\n",
            "1;" + "e".repeat(100_000) + "\r\nx\r\n0\r\n\r\n")
        .map(
            chunks ->
                refused(
                    chunks.substring(0, Math.min(20, chunks.length())).strip(),
                    post(KEY + "Transfer-Encoding: chunked\r\n", chunks),
                    400));
  }

  @Test
  void aBodyThatComesTooSlowlyIsRefused() throws IOException {
    try (RawClient client = new RawClient(guarding.gateway.port())) {
      client.send(post(KEY + "Content-Length: 10\r\n", "slow"));
      assertThat(client.line()).contains(" 408 ");
      assertThat(client.rest()).contains("request-timeout");
    }
  }

  @Test
  void chunksThatComeTooSlowlyAreRefused() throws IOException {
    try (RawClient client = new RawClient(guarding.gateway.port())) {
      client.send(post(KEY + "Transfer-Encoding: chunked\r\n", "3\r\nabc\r\n"));
      assertThat(client.line()).contains(" 408 ");
    }
  }

  @Test
  void whoSendsBrokenChunksIsToldOnceAndCutOff() throws IOException {
    try (RawClient client = new RawClient(guarding.gateway.port())) {
      client.send(post(KEY + "Transfer-Encoding: chunked\r\n", "zz\r\n" + SMUGGLED));
      String answer = client.rest();
      assertThat(answer).startsWith("HTTP/1.1 400 ").containsIgnoringCase("connection: close");
      assertThat(answer.indexOf("HTTP/1.1", 1)).as(answer).isEqualTo(-1);
    }
  }

  @Test
  void aCallerThatHangsUpHalfWayReachesNobody() throws IOException {
    try (RawClient client = new RawClient(guarding.gateway.port())) {
      client.send(post(KEY + "Content-Length: 10\r\n", "half"));
      client.socket().shutdownOutput();
      assertThat(client.rest()).doesNotContain(" 20");
    }
  }
}

package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.server.stream.StreamHttpSettings;
import java.io.IOException;
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

/**
 * Hostile input is refused or cut off and leaves nothing behind, and the server serves the next
 * caller.
 */
@Tag("service")
class HostileInputTest {
  private static final String HEAD = "Host: localhost\r\nContent-Type: text/plain\r\n";
  private static final int MAX_BODY = 1 << 20;

  private static Served served;

  @BeforeAll
  static void start() {
    StreamHttpSettings serving = StreamHttpSettings.defaults().withMaxBodyBytes(MAX_BODY);
    served = Served.with(Served.settings().withServing(serving));
  }

  @AfterAll
  static void stop() {
    served.close();
  }

  @AfterEach
  void nothingIsLeftAndTheNextOneIsServed() {
    assertThat(served.get("/api/v1/streams").body()).isEqualTo("{\"streams\":[]}");
  }

  private static String put(String path) {
    return "PUT " + path + " HTTP/1.1\r\n" + HEAD + "Content-Length: 1\r\n\r\nx";
  }

  private static String put(String headers, String body) {
    return "PUT /v1/stream/hostile HTTP/1.1\r\n" + HEAD + headers + "\r\n" + body;
  }

  @TestFactory
  Stream<DynamicTest> addressesThatLeadElsewhereAreRefused() {
    return Stream.of(
            "/v1/stream/../up",
            "/v1/stream/a/../b",
            "/v1/stream/%2e%2e/up",
            "/v1/stream/a/%2E%2e/b",
            "/v1/stream/./here",
            "/v1/stream/a%2Fb",
            "/v1/stream/a%2fb",
            "/v1/stream/..%2fup",
            "/v1/stream//b",
            "/v1/stream/a//b",
            "/v1/stream/a/",
            "/v1/stream/",
            "/v1/stream/a\\b",
            "/v1/stream/a%5cb",
            "/v1/stream/a%00",
            "/v1/stream/a%0d%0aX-Evil:1",
            "/v1/stream/%ff%fe",
            "/v1/stream/%c0%af",
            "/v1/stream/%ed%a0%80",
            "/v1/stream/\u00ff\u00fe",
            "/v1/stream/%",
            "/v1/stream/%4",
            "/v1/stream/%zz",
            "/v1/stream/%+1",
            "/v1/stream/%5f%5fds/x",
            "/v1/stream/__dsx",
            "/v1/stream/a#b",
            "/v1/stream/" + "a".repeat(2000),
            "v1/stream/a",
            "ftp://localhost/v1/stream/a")
        .map(path -> refused(path, put(path), 400));
  }

  @TestFactory
  Stream<DynamicTest> brokenFramingIsRefused() {
    Map<String, String> requests = new LinkedHashMap<>();
    requests.put(
        "both lengths", put("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"));
    requests.put(
        "both, turned", put("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", "0\r\n\r\n"));
    requests.put("two lengths", put("Content-Length: 1\r\nContent-Length: 2\r\n", "xx"));
    requests.put("list of lengths", put("Content-Length: 1, 2\r\n", "xx"));
    requests.put("signed length", put("Content-Length: +1\r\n", "x"));
    requests.put("negative length", put("Content-Length: -1\r\n", "x"));
    requests.put("length beyond all", put("Content-Length: 99999999999999999999999\r\n", "x"));
    requests.put("blank in a name", put("Content-Length : 1\r\n", "x"));
    requests.put("unknown coding", put("Transfer-Encoding: xchunked\r\n", "1\r\nx\r\n0\r\n\r\n"));
    requests.put(
        "bare line feeds", "PUT /v1/stream/a HTTP/1.1\nHost: localhost\nContent-Length: 1\n\nx");
    requests.put("no HTTP at all", "\u0016\u0003\u0001\u0002\u0000\u0001\r\n\r\n");
    requests.put("a blank in the path", put("/v1/stream/a b"));
    requests.put("no host", "PUT /v1/stream/a HTTP/1.1\r\nContent-Length: 1\r\n\r\nx");
    return requests.entrySet().stream().map(e -> refused(e.getKey(), e.getValue(), 400));
  }

  @TestFactory
  Stream<DynamicTest> whatCanNotBeUndoneIsRefused() {
    return Stream.of(
        refused(
            "transfer encoding",
            put("Transfer-Encoding: gzip, chunked\r\n", "1\r\nx\r\n0\r\n\r\n"),
            501),
        refused(
            "content encoding", put("Content-Encoding: gzip\r\nContent-Length: 1\r\n", "x"), 415),
        refused("expectation", put("Expect: miracles\r\nContent-Length: 1\r\n", "x"), 417));
  }

  @TestFactory
  Stream<DynamicTest> whatIsTooMuchIsRefused() {
    String flood = "X-Flood: x\r\n".repeat(5_000);
    return Stream.of(
        refused("many headers", put(flood + "Content-Length: 1\r\n", "x"), 431),
        refused("long header", put("X-Long: " + "x".repeat(100_000) + "\r\n", ""), 431),
        refused("long address", put("/v1/stream/" + "x".repeat(100_000)), 414),
        refused("declared body", put("Content-Length: 99999999999\r\n", "x"), 413),
        refused("one byte too many", put("Content-Length: " + (MAX_BODY + 1) + "\r\n", "x"), 413));
  }

  @TestFactory
  Stream<DynamicTest> headersThatMayStandThereOnceDo() {
    return Stream.of(
            "Stream-TTL: 5\r\nStream-TTL: 6\r\n",
            "Stream-Closed: true\r\nStream-Closed: false\r\n",
            "Content-Type: application/json\r\n",
            "Host: other\r\n",
            "Stream-Forked-From: /v1/stream/a\r\nStream-Forked-From: /v1/stream/b\r\n")
        .map(headers -> refused(headers, put(headers + "Content-Length: 1\r\n", "x"), 400));
  }

  private static DynamicTest refused(String name, String request, int status) {
    return DynamicTest.dynamicTest(
        name.length() > 60 ? name.substring(0, 60) : name.strip(),
        () -> {
          try (RawClient client = new RawClient(served.server.port())) {
            client.send(request);
            assertThat(client.line()).contains(" " + status + " ");
          }
        });
  }

  @TestFactory
  Stream<DynamicTest> brokenChunksEndTheConnection() {
    return Stream.of("zz\r\nx\r\n0\r\n\r\n", "-1\r\nx\r\n0\r\n\r\n", "3\r\nabcXX\r\n0\r\n\r\n")
        .map(
            chunks ->
                DynamicTest.dynamicTest(
                    chunks.strip(),
                    () -> {
                      try (RawClient client = new RawClient(served.server.port())) {
                        client.send(put("Transfer-Encoding: chunked\r\n", chunks));
                        assertThat(client.rest()).doesNotContain(" 20");
                      }
                    }));
  }

  @Test
  void aBodyThatGrowsBeyondTheLimitIsCutOff() throws IOException {
    try (RawClient client = new RawClient(served.server.port())) {
      client.send(put("Transfer-Encoding: chunked\r\n", ""));
      String chunk = "10000\r\n" + "x".repeat(0x10000) + "\r\n";
      for (int sent = 0; sent <= MAX_BODY && client.send(chunk); sent += 0x10000) {}
      assertThat(client.line()).contains(" 413 ");
      assertThat(client.rest()).contains("Connection: close");
    }
  }

  @Test
  void aBodyThatEndsEarlyWasNeverSent() throws IOException {
    try (RawClient client = new RawClient(served.server.port())) {
      client.send(put("Content-Length: 10\r\n", "half"));
      client.socket().shutdownOutput();
      assertThat(client.rest()).doesNotContain(" 201 ");
    }
  }

  @Test
  void whatFollowsARefusedRequestOnTheSameConnectionIsServed() throws IOException {
    try (RawClient client = new RawClient(served.server.port())) {
      client.send(
          "POST /v1/stream/a HTTP/1.1\r\nHost: localhost\r\nProducer-Id: x\r\nContent-Length: 5\r\n\r\nhello"
              + "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
      assertThat(client.rest()).contains(" 400 ").contains("{\"status\":\"ok\"}");
    }
  }

  @Test
  void refusalsCarryTheSecurityHeaders() throws IOException {
    try (RawClient client = new RawClient(served.server.port())) {
      client.send(put("Content-Length: -1\r\n", "x"));
      assertThat(client.rest()).contains("X-Content-Type-Options: nosniff");
    }
  }
}

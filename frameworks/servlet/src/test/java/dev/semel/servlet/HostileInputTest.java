package dev.semel.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Bytes that no honest client sends: refused with 4xx, nothing runs, and no record stays. */
final class HostileInputTest {
  private static final String HEAD = "POST /pay HTTP/1.1\r\nHost: a\r\n";
  private static final String KEY = "Idempotency-Key: k-1\r\n";
  private static final String SMUGGLED =
      "POST /pay HTTP/1.1\r\nHost: a\r\nIdempotency-Key: k-2\r\nContent-Length: 0\r\n\r\n";
  private static final Duration IDLE = Duration.ofMillis(500);

  private static Arguments of(String name, String... parts) {
    return Arguments.of(name, String.join("", parts));
  }

  static Stream<Arguments> requests() {
    return Stream.concat(badHeads(), badBodies());
  }

  private static Stream<Arguments> badHeads() {
    String empty = "Content-Length: 0\r\n\r\n";
    return Stream.of(
        of("a huge header", HEAD, "Idempotency-Key: " + "k".repeat(100_000) + "\r\n", empty),
        of("a key over the limit", HEAD, "Idempotency-Key: " + "k".repeat(256) + "\r\n", empty),
        of("an empty key", HEAD, "Idempotency-Key:  \r\n", empty),
        of("two keys", HEAD, KEY, "idempotency-key: k-2\r\n", empty),
        of("two keys in one line", HEAD, "Idempotency-Key: k-1, k-2\r\n", empty),
        of("the same key a hundred times", HEAD, KEY.repeat(100), empty),
        of("many headers", HEAD, KEY, "X-Flood: x\r\n".repeat(5_000), empty),
        of("a folded key", HEAD, "Idempotency-Key: k\r\n -1\r\n", empty),
        of("a folded header", HEAD, KEY, "X-A: b\r\n\tc\r\n", empty),
        of("a folded length", HEAD, KEY, "Content-Length:\r\n 0\r\n\r\n"),
        of(
            "a folded line before any header",
            "POST /pay HTTP/1.1\r\n X: y\r\nHost: a\r\n",
            KEY,
            empty),
        of("a line break in the key", HEAD, "Idempotency-Key: k\r\n \r\n\tevil: yes\r\n", empty),
        of("a bare carriage return in the key", HEAD, "Idempotency-Key: k\r1\r\n", empty),
        of("a zero byte in the key", HEAD, "Idempotency-Key: k\u00001\r\n", empty),
        of("an escape sequence in the key", HEAD, "Idempotency-Key: k\u001b[31m\r\n", empty),
        of("invalid UTF-8 in the key", HEAD, "Idempotency-Key: k\u00c3(\r\n", empty),
        of("an overlong slash in the key", HEAD, "Idempotency-Key: k\u00c0\u00af\r\n", empty),
        of("an open quotation mark", HEAD, "Idempotency-Key: \"k-1\r\n", empty),
        of("a wrong escape", HEAD, "Idempotency-Key: \"k\\x\"\r\n", empty),
        of("a space before the colon", HEAD, "Idempotency-Key : k-1\r\n", empty));
  }

  private static Stream<Arguments> badBodies() {
    String chunked = "Transfer-Encoding: chunked\r\n";
    return Stream.of(
        of("two lengths", HEAD, KEY, "Content-Length: 0\r\nContent-Length: 5\r\n\r\n", SMUGGLED),
        of("a list of lengths", HEAD, KEY, "Content-Length: 4, 5\r\n\r\nabcde"),
        of("a negative length", HEAD, KEY, "Content-Length: -1\r\n\r\n"),
        of("a signed length", HEAD, KEY, "Content-Length: +4\r\n\r\nabcd"),
        of("a length that overflows", HEAD, KEY, "Content-Length: 99999999999999999999\r\n\r\n"),
        of("a length over the limit", HEAD, KEY, "Content-Length: 1048577\r\n\r\n"),
        of(
            "chunks and a length",
            HEAD,
            KEY,
            chunked,
            "Content-Length: 4\r\n\r\n0\r\n\r\n",
            SMUGGLED),
        of("unknown coding", HEAD, KEY, "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n"),
        of("coding after chunks", HEAD, KEY, "Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n"),
        of("a chunk that is no number", HEAD, KEY, chunked, "\r\nxyz\r\nabc\r\n0\r\n\r\n"),
        of("a negative chunk", HEAD, KEY, chunked, "\r\n-5\r\nabcde\r\n0\r\n\r\n"),
        of("a chunk that overflows", HEAD, KEY, chunked, "\r\nfffffffff\r\nabc\r\n0\r\n\r\n"),
        of("a chunk longer than it says", HEAD, KEY, chunked, "\r\n2\r\nabcdef\r\n0\r\n\r\n"),
        of("a chunk without its end", HEAD, KEY, chunked, "\r\n3\r\nabc0\r\n\r\n"),
        of("chunks with bare line feeds", HEAD, KEY, chunked, "\r\n1\nx\n0\n\n"),
        of("a folded coding", HEAD, KEY, "Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n"),
        of("chunks over the limit", HEAD, KEY, chunked, "\r\n", chunks()),
        of("a slow body", HEAD, KEY, "Content-Length: 10\r\n\r\nabc"),
        of("slow chunks", HEAD, KEY, chunked, "\r\n3\r\nabc\r\n"));
  }

  private static String chunks() {
    String chunk = "10000\r\n" + "x".repeat(0x10000) + "\r\n";
    return IntStream.range(0, 17).mapToObj(i -> chunk).collect(Collectors.joining()) + "0\r\n\r\n";
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("requests")
  void isRefusedAndLeavesNothing(String name, String request) throws IOException {
    AtomicInteger runs = new AtomicInteger();
    Shop shop = new Shop().guard(Shop.RULES);
    shop.jetty().idleTimeout(IDLE);
    shop.serve("/*", (rq, response) -> runs.incrementAndGet()).open();
    try (shop;
        RawClient client = new RawClient(shop.jetty().uri())) {
      client.send(request);
      String answer = client.readAll();
      assertThat(answer).as(name).startsWith("HTTP/1.1 4");
      assertThat(answer.indexOf("HTTP/1.1", 1))
          .as("one answer, so nothing was smuggled")
          .isEqualTo(-1);
      assertThat(runs).as("runs").hasValue(0);
      assertThat(shop.records()).as("records").isZero();
    }
  }

  @Test
  void aLengthOverTheLimitIsRefusedBeforeItIsRead() throws IOException {
    try (Shop shop = Shop.of((request, response) -> response.setStatus(204));
        RawClient client = new RawClient(shop.jetty().uri())) {
      client.send(HEAD + KEY + "Content-Length: 1048577\r\n\r\n");
      assertThat(client.readUntil("\r\n")).startsWith("HTTP/1.1 413");
      assertThat(shop.records()).isZero();
    }
  }

  /** On one connection, like an honest client that continues after a mistake. */
  @Test
  void theRequestAfterARefusedOneIsAnswered() throws IOException {
    try (Shop shop = Shop.of((request, response) -> response.setStatus(204))) {
      for (int i = 0; i < 50; i++) {
        try (RawClient client = new RawClient(shop.jetty().uri())) {
          client.send(HEAD + "Idempotency-Key: a,b\r\nContent-Length: 4\r\n\r\n");
          client.send("abcd");
          assertThat(client.readUntil("\r\n\r\n")).startsWith("HTTP/1.1 400");
          client.send(HEAD + "Idempotency-Key: k-" + i + "\r\nContent-Length: 0\r\n\r\n");
          client.readUntil("HTTP/1.1 204");
        }
      }
    }
  }

  @Test
  void whoIsRefusedBeforeALargeBodyIsToldToComeAgainOnAnotherConnection() throws IOException {
    try (Shop shop = Shop.of((request, response) -> response.setStatus(204))) {
      for (String body : new String[] {"Content-Length: 1000000", "Transfer-Encoding: chunked"}) {
        try (RawClient client = new RawClient(shop.jetty().uri())) {
          client.send(HEAD + "Idempotency-Key: a,b\r\n" + body + "\r\n\r\n");
          assertThat(client.readUntil("\r\n\r\n"))
              .startsWith("HTTP/1.1 400")
              .containsIgnoringCase("\r\nConnection: close\r\n");
        }
      }
    }
  }
}

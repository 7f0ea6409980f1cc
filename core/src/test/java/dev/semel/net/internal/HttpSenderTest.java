package dev.semel.net.internal;

import static dev.semel.http.client.SocketServer.answer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.http.client.SocketServer;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HttpSenderTest {
  private static final Duration LONG = Duration.ofMinutes(3);

  private final HttpSender sender = HttpSender.open(LONG, Optional.empty());

  @AfterEach
  void close() {
    sender.close();
  }

  private HttpResponse<byte[]> ask(SocketServer server, Duration limit, int maxBytes)
      throws IOException {
    return sender.ask(HttpRequest.newBuilder(server.uri()).build(), limit, maxBytes);
  }

  @Test
  void wholeAnswerIsRead() throws IOException {
    String text = "x".repeat(300_000) + "ä";
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    try (SocketServer server = new SocketServer(answer(200, text))) {
      assertThat(ask(server, LONG, bytes.length).body()).isEqualTo(bytes);
      assertThatThrownBy(() -> ask(server, LONG, bytes.length - 1))
          .satisfies(e -> assertThat(LimitedBody.isTooLarge(e)).isTrue());
    }
  }

  @Test
  void redirectIsAnAnswer() throws IOException {
    try (SocketServer elsewhere = new SocketServer(answer(200, "elsewhere"));
        SocketServer server = new SocketServer(answer(307, "", "Location: " + elsewhere.uri()))) {
      assertThat(ask(server, LONG, 10).statusCode()).isEqualTo(307);
      assertThat(elsewhere.asked()).isEmpty();
    }
  }

  @Test
  void bodyThatStopsHalfwayEndsWithTheLimit() throws IOException {
    CountDownLatch over = new CountDownLatch(1);
    try (SocketServer server = new SocketServer(SocketServer.stallsUntil(over))) {
      assertThatThrownBy(() -> ask(server, Duration.ofMillis(200), 10))
          .isInstanceOf(HttpTimeoutException.class);
      over.countDown();
    }
  }

  @Test
  void interruptedCallerStaysInterrupted() throws IOException {
    CountDownLatch over = new CountDownLatch(1);
    try (SocketServer server = new SocketServer(SocketServer.silentUntil(over))) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> ask(server, LONG, 10)).isInstanceOf(InterruptedIOException.class);
      assertThat(Thread.interrupted()).isTrue();
      over.countDown();
    }
  }

  @Test
  void closingEndsWhatIsUnderWay() throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    CountDownLatch there = new CountDownLatch(1);
    try (SocketServer server =
        new SocketServer(
            (asked, socket) -> {
              there.countDown();
              SocketServer.silentUntil(over).answer(asked, socket);
            })) {
      CompletableFuture<HttpResponse<byte[]>> answer =
          sender.open(HttpRequest.newBuilder(server.uri()).build(), HttpSender.whole(10));
      there.await();
      sender.close();
      assertThatThrownBy(answer::join).hasCauseInstanceOf(IOException.class);
      over.countDown();
    }
  }
}

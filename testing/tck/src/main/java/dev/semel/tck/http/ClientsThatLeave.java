package dev.semel.tck.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** A client that disconnects does not affect a running request. */
abstract class ClientsThatLeave extends HttpWords {
  /** Repeats the request until the first one has ended, and returns the answer. */
  private static HttpResponse<byte[]> retry(HttpFront front, ClickedRequest click) {
    AtomicReference<HttpResponse<byte[]>> last = new AtomicReference<>();
    eventually(
        "the first ended",
        () -> {
          last.set(send(front, click));
          return !inFlight(last.get());
        });
    return last.get();
  }

  private static Socket write(HttpFront front, ClickedRequest click, int bodyBytes)
      throws IOException {
    byte[] body = click.body().getBytes(StandardCharsets.UTF_8);
    StringBuilder head = new StringBuilder();
    head.append("POST ").append(click.target()).append(" HTTP/1.1\r\n");
    head.append("Host: ").append(front.uri().getAuthority()).append("\r\n");
    head.append("Content-Length: ").append(body.length).append("\r\n");
    click
        .headers()
        .forEach(h -> head.append(h.name()).append(": ").append(h.value()).append("\r\n"));
    Socket socket = new Socket(front.uri().getHost(), front.uri().getPort());
    socket.getOutputStream().write(head.append("\r\n").toString().getBytes(StandardCharsets.UTF_8));
    socket.getOutputStream().write(body, 0, bodyBytes);
    socket.getOutputStream().flush();
    return socket;
  }

  private static void hangUp(Socket socket, boolean abruptly) throws IOException {
    if (abruptly) {
      socket.setSoLinger(true, 0); // a TCP reset instead of a normal close
    }
    socket.close();
  }

  @Test
  void whatWasBegunIsRecordedAndTheRetryGetsIt() throws IOException {
    for (boolean abruptly : new boolean[] {false, true}) {
      try (HttpFront front = start(RULES)) {
        ClickedRequest click = click().header("X-Gate", "g");
        Socket socket = write(front, click, click.body().getBytes(StandardCharsets.UTF_8).length);
        eventuallyExecuting(front, "/charge");
        hangUp(socket, abruptly);
        assertThat(inFlight(send(front, click))).as("still at work").isTrue();
        open(front, "g");
        HttpResponse<byte[]> answer = retry(front, click);
        assertThat(answer.statusCode()).isEqualTo(201);
        assertThat(isReplay(answer)).isTrue();
        assertThat(header(answer, "Location")).isEqualTo("/charge/1");
        assertThat(executions(front, "/charge")).isEqualTo(1);
      }
    }
  }

  @Test
  void aLargeAnswerThatNobodyReadsIsRecordedWhole() throws IOException {
    try (HttpFront front = start(RULES)) {
      ClickedRequest click =
          ClickedRequest.post("/large?bytes=900000").key(freshKey()).header("X-Gate", "g");
      Socket socket = write(front, click, click.body().getBytes(StandardCharsets.UTF_8).length);
      eventuallyExecuting(front, "/large");
      hangUp(socket, true);
      open(front, "g");
      HttpResponse<byte[]> answer = retry(front, click);
      assertThat(isReplay(answer)).isTrue();
      assertThat(answer.body()).hasSize(900_000);
      assertThat(executions(front, "/large")).isEqualTo(1);
    }
  }

  /** Half a body could be another request than the whole one, so it must not take the key. */
  @Test
  void halfARequestNeitherRunsNorTakesTheKey() throws IOException {
    try (HttpFront front = start(RULES)) {
      ClickedRequest click = click();
      hangUp(write(front, click, 5), false);
      hangUp(write(front, click, 5), true);
      HttpResponse<byte[]> answer = send(front, click);
      assertExecuted(answer, 201);
      assertThat(executions(front, "/charge")).isEqualTo(1);
      assertReplays(answer, send(front, click));
    }
  }
}

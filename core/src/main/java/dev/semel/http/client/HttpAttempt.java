package dev.semel.http.client;

import dev.semel.loop.Loop;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One try: sent once, and ended when its time is over, wherever it stands. */
final class HttpAttempt {
  private HttpAttempt() {}

  /**
   * Sends from a thread of its own: the client's timeout ends with an answer's headers, and a
   * server may stop in the middle of a body.
   *
   * @throws InterruptedIOException this thread was interrupted, and still is
   */
  static HttpResponse<byte[]> send(
      HttpClient client, HttpRequest request, Duration limit, int maxBytes) throws IOException {
    CompletableFuture<HttpResponse<byte[]>> answer = new CompletableFuture<>();
    CompletableFuture<Thread> sender = new CompletableFuture<>();
    Loop.beside("semel-http-client", () -> exchange(client, request, maxBytes, answer, sender));
    try {
      return answer.get(limit.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      sender.join().interrupt();
      throw new HttpTimeoutException("no whole answer within " + limit);
    } catch (InterruptedException e) {
      sender.join().interrupt();
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting for the answer");
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      throw rethrown(cause == null ? e : cause);
    }
  }

  private static void exchange(
      HttpClient client,
      HttpRequest request,
      int maxBytes,
      CompletableFuture<HttpResponse<byte[]>> answer,
      CompletableFuture<Thread> sender) {
    sender.complete(Thread.currentThread());
    try {
      answer.complete(client.send(request, info -> new LimitedBody(maxBytes)));
    } catch (IOException | InterruptedException | RuntimeException | Error e) {
      answer.completeExceptionally(e);
    }
  }

  private static IOException rethrown(Throwable cause) {
    return switch (cause) {
      case IOException e -> e;
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      default -> new IOException(cause);
    };
  }
}

package dev.semel.net.internal;

import dev.semel.loop.internal.Loop;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;

/**
 * Sends each request once, from a separate thread: answers to the client's own asynchronous calls
 * come through the common pool, and a caller that blocks there would delay all of them. Safe for
 * use by many threads.
 */
public final class HttpSender implements AutoCloseable {
  private final HttpClient client;

  /** Uses a client that belongs to someone else, who closes it. */
  public HttpSender(HttpClient client) {
    this.client = client;
  }

  /**
   * A sender that follows no redirects.
   *
   * @param connecting how long a connection may take, with its TLS handshake
   * @param trust decides which certificates are trusted; empty: those that the JVM trusts
   */
  public static HttpSender open(Duration connecting, Optional<SSLContext> trust) {
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(connecting);
    trust.ifPresent(builder::sslContext);
    return new HttpSender(builder.build());
  }

  public HttpClient client() {
    return client;
  }

  /**
   * Sends a request; completes when the body handler does: with the headers, if the caller reads
   * the body. Cancelling it gives the request up.
   */
  public <B> CompletableFuture<HttpResponse<B>> open(HttpRequest request, BodyHandler<B> body) {
    CompletableFuture<HttpResponse<B>> answer = new CompletableFuture<>();
    Loop.beside("semel-http", () -> exchange(request, body, answer));
    return answer;
  }

  private <B> void exchange(
      HttpRequest request, BodyHandler<B> body, CompletableFuture<HttpResponse<B>> answer) {
    Thread me = Thread.currentThread();
    CompletableFuture<HttpResponse<B>> unused =
        answer.whenComplete(
            (response, failure) -> {
              if (answer.isCancelled()) {
                me.interrupt();
              }
            });
    try {
      answer.complete(client.send(request, body));
    } catch (IOException | InterruptedException | RuntimeException | Error e) {
      answer.completeExceptionally(e);
    }
  }

  /** Reads a whole answer up to this many bytes; a longer one is {@link LimitedBody.TooLarge}. */
  public static BodyHandler<byte[]> whole(int maxBytes) {
    return head -> new LimitedBody(maxBytes);
  }

  /**
   * Sends a request, and waits for the whole answer. The client's own timeout ends with an answer's
   * headers, but a server may stop in the middle of a body.
   *
   * @param limit for the headers and the body together
   * @throws HttpTimeoutException the answer was not complete by then
   * @throws LimitedBody.TooLarge it has more bytes than allowed
   * @throws InterruptedIOException this thread was interrupted, and still is
   */
  public HttpResponse<byte[]> ask(HttpRequest request, Duration limit, int maxBytes)
      throws IOException {
    CompletableFuture<HttpResponse<byte[]>> answer = open(request, whole(maxBytes));
    try {
      return answer.get(limit.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      answer.cancel(true);
      throw new HttpTimeoutException("no whole answer within " + limit);
    } catch (InterruptedException e) {
      answer.cancel(true);
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting for the answer");
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      throw rethrown(cause == null ? e : cause);
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

  /** Requests without an answer fail. */
  @Override
  public void close() {
    client.shutdownNow();
  }
}

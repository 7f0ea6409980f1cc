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
 * Sends each request once, from a thread of its own: answers to the client's own asynchronous calls
 * come through the common pool, and whoever blocks that would hold all of them up. Safe for many
 * threads.
 */
public final class HttpSender implements AutoCloseable {
  private final HttpClient client;

  /** Over a client that belongs to someone else, and is then closed by them alone. */
  public HttpSender(HttpClient client) {
    this.client = client;
  }

  /**
   * One that follows no redirects.
   *
   * @param connecting how long a connection may take, with its TLS handshake
   * @param trust which certificates are believed; empty: those that the JVM trusts
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
   * Asks, and is done when the body handler is: with the headers, if whoever asked takes the body.
   * Cancelling it gives the request up.
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

  /** Reads an answer as a whole, up to so many bytes: {@link LimitedBody.TooLarge} beyond. */
  public static BodyHandler<byte[]> whole(int maxBytes) {
    return head -> new LimitedBody(maxBytes);
  }

  /**
   * Asks, and waits for the whole answer. The client's own timeout ends with an answer's headers,
   * and a server may stop in the middle of a body.
   *
   * @param limit for the headers and the body together
   * @throws HttpTimeoutException the answer was not whole by then
   * @throws LimitedBody.TooLarge it has more than so many bytes
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

  /** What is still on its way fails. */
  @Override
  public void close() {
    client.shutdownNow();
  }
}

package dev.semel.stream.client.internal;

import dev.semel.InvalidInput;
import dev.semel.StoreException;
import dev.semel.internal.PrintableText;
import dev.semel.net.internal.HttpSender;
import dev.semel.net.internal.LimitedBody;
import dev.semel.net.internal.ServerUrl;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;

/**
 * Sends requests, and turns all failures into two kinds of exceptions: {@link NotSent} and {@link
 * AnswerLost}. Sends nothing twice. Safe for use by many threads.
 */
public final class HttpWire implements AutoCloseable {
  /** Includes the TLS handshake, which takes seconds on a busy machine with a cold JVM. */
  static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(30);

  /** How long an answer's headers may take. */
  public static final Duration TIMEOUT = Duration.ofSeconds(30);

  /** How long the body of a whole answer may take after its headers. */
  static final Duration BODY_TIMEOUT = Duration.ofMinutes(2);

  /** The largest whole answer in bytes: more than any server sends at a time. */
  static final int MAX_ANSWER_BYTES = 256 << 20;

  private final HttpSender sender;

  /** Trusts the certificates that the JVM trusts. */
  public HttpWire() {
    this(Optional.empty());
  }

  public HttpWire(Optional<SSLContext> trust) {
    this.sender = HttpSender.open(CONNECT_TIMEOUT, trust);
  }

  /** Sends a request, and reads the whole answer, whatever its status is. */
  public CompletableFuture<HttpReply> send(HttpRequest request) {
    return send(request, HttpSender.whole(MAX_ANSWER_BYTES));
  }

  /** Sends a request, and discards the answer's body as it arrives. */
  public CompletableFuture<HttpReply> sendForHeaders(HttpRequest request) {
    return send(request, BodyHandlers.replacing(new byte[0]));
  }

  private CompletableFuture<HttpReply> send(HttpRequest request, BodyHandler<byte[]> body) {
    long limit = request.timeout().orElse(TIMEOUT).plus(BODY_TIMEOUT).toMillis();
    CompletableFuture<HttpResponse<byte[]>> exchange = open(request, body);
    // The client's own limit ends with the headers, but a server may stop in the middle of a body.
    CompletableFuture<HttpReply> answer =
        exchange
            .copy()
            .orTimeout(limit, TimeUnit.MILLISECONDS)
            .handle(
                (response, failure) -> {
                  if (failure != null) {
                    exchange.cancel(true);
                    throw failed(request, failure);
                  }
                  return new HttpReply(response, response.body());
                });
    // A caller that no longer waits takes the request back, if it has not gone yet.
    CompletableFuture<HttpReply> unused =
        answer.whenComplete(
            (reply, failure) -> {
              if (answer.isCancelled()) {
                exchange.cancel(true);
              }
            });
    return answer;
  }

  /** Completes when the headers have arrived; fails as the JDK's client does. */
  <B> CompletableFuture<HttpResponse<B>> open(HttpRequest request, BodyHandler<B> body) {
    return sender.open(request, body);
  }

  /** The exception for a request without an answer. */
  public static StoreException failed(HttpRequest request, Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    String address = ServerUrl.text(request.uri());
    return switch (cause) {
      case StoreException e -> e;
      case ConnectException e -> unreachable(address, e);
      case HttpConnectTimeoutException e ->
          new NotSent(
              "%s did not accept a connection within %d s, so nothing was sent to it: is it running, and is the address right?"
                  .formatted(address, CONNECT_TIMEOUT.toSeconds()),
              e);
      case UnresolvedAddressException e -> unreachable(address, e);
      case SSLHandshakeException e -> untrusted(address, e);
      case java.net.http.HttpTimeoutException e -> late(address, e);
      case java.util.concurrent.TimeoutException e -> late(address, e);
      case IOException e -> broken(address, e);
      default ->
          new AnswerLost(
              "%s could not be asked: %s. Whether the call took effect is unknown"
                  .formatted(address, cause),
              cause);
    };
  }

  private static AnswerLost broken(String address, IOException e) {
    String what =
        LimitedBody.isTooLarge(e)
            ? "%s answered with more than %d bytes".formatted(address, MAX_ANSWER_BYTES)
            : "the connection to %s broke".formatted(address);
    return new AnswerLost(what + ": whether the call took effect is unknown", e);
  }

  private static AnswerLost late(String address, Exception e) {
    return new AnswerLost(
        "%s did not answer in time: whether the call took effect is unknown".formatted(address), e);
  }

  private static NotSent untrusted(String address, Exception e) {
    return new NotSent(
        "%s did not prove by its certificate that it is the one, so nothing was sent to it: trust its authority, or correct the address"
            .formatted(address),
        e);
  }

  private static NotSent unreachable(String address, Exception e) {
    return new NotSent(
        "nobody answers at %s: start the server there (semel serve), or correct the address"
            .formatted(address),
        e);
  }

  /** Checks a header's value: text beyond ASCII would arrive changed. */
  public static String value(String what, String text) {
    if (!text.chars().allMatch(c -> c >= ' ' && c <= '~')) {
      throw new InvalidInput(
          "%s %s can't be sent over HTTP: use letters, digits and signs of ASCII"
              .formatted(what, PrintableText.quoted(text)));
    }
    return text;
  }

  /** Requests without an answer fail. */
  @Override
  public void close() {
    sender.close();
  }
}

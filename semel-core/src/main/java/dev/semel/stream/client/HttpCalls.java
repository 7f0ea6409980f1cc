package dev.semel.stream.client;

import dev.semel.InvalidInput;
import dev.semel.Printable;
import dev.semel.StoreException;
import dev.semel.stream.StreamPath;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;

/**
 * Sends requests to one server and makes one kind of exception of all that can go wrong with that.
 * Nothing is sent twice.
 */
final class HttpCalls implements AutoCloseable {
  static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

  /** How long an answer may take. */
  static final Duration TIMEOUT = Duration.ofSeconds(30);

  private static final String STREAMS = "/v1/stream/";

  private final HttpClient client;
  private final URI base;
  private final String token;

  /**
   * @param token empty: none
   */
  HttpCalls(URI server, String token) {
    this.base = checked(server);
    if (!token.chars().allMatch(c -> c > ' ' && c <= '~')) {
      throw new InvalidInput("the token holds characters that a header can't: copy it again");
    }
    this.token = token;
    this.client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(CONNECT_TIMEOUT)
            .build();
  }

  /** The message must not repeat the address: it may hold a password. */
  private static URI checked(URI server) {
    boolean http = "http".equals(server.getScheme()) || "https".equals(server.getScheme());
    boolean bare = server.getRawPath() == null || server.getRawPath().matches("/?");
    if (!http
        || server.getHost() == null
        || server.getRawUserInfo() != null
        || server.getRawQuery() != null
        || server.getRawFragment() != null
        || !bare) {
      throw new InvalidInput(
          "the server's address is not valid: write scheme, host and port alone, such as http://127.0.0.1:4437");
    }
    return server;
  }

  /** Where the server is, for people. */
  String address() {
    return base.getScheme() + "://" + base.getRawAuthority();
  }

  /** A request to a stream, to be refined. */
  HttpRequest.Builder stream(StreamPath path, String query) {
    return request(streamPath(path) + query);
  }

  static String streamPath(StreamPath path) {
    StringBuilder encoded = new StringBuilder(STREAMS);
    for (String segment : path.text().split("/", -1)) {
      encoded.append(encoded.length() == STREAMS.length() ? "" : "/").append(encode(segment));
    }
    return encoded.toString();
  }

  static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  HttpRequest.Builder request(String pathAndQuery) {
    try {
      HttpRequest.Builder builder =
          HttpRequest.newBuilder(new URI(address() + pathAndQuery)).timeout(TIMEOUT);
      return token.isEmpty() ? builder : builder.header("Authorization", "Bearer " + token);
    } catch (URISyntaxException e) {
      throw new InvalidInput("no address can be made of " + Printable.quoted(pathAndQuery));
    }
  }

  /** A header's value; text beyond ASCII would arrive as another one. */
  static String value(String what, String text) {
    if (!text.chars().allMatch(c -> c >= ' ' && c <= '~')) {
      throw new InvalidInput(
          "%s %s can't be sent over HTTP: use letters, digits and signs of ASCII"
              .formatted(what, Printable.quoted(text)));
    }
    return text;
  }

  /** Asks, and reads the whole answer. */
  <A> CompletableFuture<A> send(HttpRequest request, Function<HttpReply, A> meaning) {
    return send(request, BodyHandlers.ofByteArray(), meaning);
  }

  /** Asks, and throws the answer's body away as it comes. */
  <A> CompletableFuture<A> sendForHeaders(HttpRequest request, Function<HttpReply, A> meaning) {
    return send(request, BodyHandlers.replacing(new byte[0]), meaning);
  }

  private <A> CompletableFuture<A> send(
      HttpRequest request, BodyHandler<byte[]> body, Function<HttpReply, A> meaning) {
    return client
        .sendAsync(request, body)
        .handle(
            (response, failure) -> {
              if (failure != null) {
                throw failed(failure);
              }
              return understood(new HttpReply(response), meaning);
            });
  }

  private <A> A understood(HttpReply reply, Function<HttpReply, A> meaning) {
    checkAllowed(reply);
    try {
      return meaning.apply(reply);
    } catch (IllegalArgumentException e) {
      throw strange(reply);
    }
  }

  private void checkAllowed(HttpReply reply) {
    boolean fenced =
        reply.header("Producer-Epoch").or(() -> reply.header("X-Current-Epoch")).isPresent();
    if (reply.status() == 401) {
      throw new HttpStreams.NotAllowed(
          "%s wants a token and %s: nothing was done"
              .formatted(address(), token.isEmpty() ? "got none" : "does not know this one"));
    }
    if (reply.status() == 403 && !fenced) {
      throw new HttpStreams.NotAllowed(
          "%s refuses this: %s. Nothing was done"
              .formatted(address(), Printable.safe(reply.detail())));
    }
    if (reply.status() == 405 || reply.status() == 501) {
      throw new HttpStreams.NotAllowed(
          "%s does not offer this: it may be read-only. Nothing was done".formatted(address()));
    }
  }

  /** An answer that fits no rule of the protocol. */
  StoreException strange(HttpReply reply) {
    return new StoreException(
        reply.status() >= 500
            ? "%s failed (status %d): %s"
                .formatted(address(), reply.status(), Printable.safe(reply.detail()))
            : "%s answered with status %d in a way that is not understood: is it a Semel server?"
                .formatted(address(), reply.status()));
  }

  private StoreException failed(Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    return switch (cause) {
      case ConnectException e -> unreachable(e);
      case HttpConnectTimeoutException e -> unreachable(e);
      case HttpTimeoutException e ->
          new StoreException(
              "%s did not answer in time: whether the call took effect is unknown"
                  .formatted(address()),
              e);
      case IOException e ->
          new StoreException(
              "the connection to %s broke: whether the call took effect is unknown"
                  .formatted(address()),
              e);
      case StoreException e -> e;
      default -> new StoreException("%s could not be asked: %s".formatted(address(), cause), cause);
    };
  }

  private StoreException unreachable(IOException e) {
    return new StoreException(
        "nobody answers at %s: start the server there (semel serve), or correct the address"
            .formatted(address()),
        e);
  }

  /** What is still on its way fails. */
  @Override
  public void close() {
    client.shutdownNow();
  }
}

package dev.semel.stream.client;

import dev.semel.InvalidInput;
import dev.semel.PrintableText;
import dev.semel.stream.StreamPath;
import dev.semel.stream.client.internal.HttpReply;
import dev.semel.stream.client.internal.HttpWire;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Requests to one Semel server, and what its answers mean. Nothing is sent twice. */
public final class HttpCalls implements AutoCloseable {
  private static final String STREAMS = "/v1/stream/";

  private final HttpWire wire;
  private final URI base;
  private final String token;

  /**
   * @param token empty: none
   */
  HttpCalls(URI server, String token, HttpWire wire) {
    this.wire = wire;
    this.base = checked(server);
    this.token = HttpWire.token(token);
  }

  /** The message must not repeat the address: it may hold a password. */
  static URI checked(URI server) {
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
    return HttpWire.address(base);
  }

  /** A request to a stream, to be refined. */
  public HttpRequest.Builder stream(StreamPath path, String query) {
    return request(streamPath(path) + query);
  }

  static String streamPath(StreamPath path) {
    StringBuilder encoded = new StringBuilder(STREAMS);
    for (String segment : path.text().split("/", -1)) {
      encoded
          .append(encoded.length() == STREAMS.length() ? "" : "/")
          .append(HttpWire.encode(segment));
    }
    return encoded.toString();
  }

  HttpRequest.Builder request(String pathAndQuery) {
    try {
      HttpRequest.Builder builder =
          HttpRequest.newBuilder(new URI(address() + pathAndQuery)).timeout(HttpWire.TIMEOUT);
      return token.isEmpty() ? builder : builder.header("Authorization", "Bearer " + token);
    } catch (URISyntaxException e) {
      throw new InvalidInput("no address can be made of " + PrintableText.quoted(pathAndQuery));
    }
  }

  /** Asks, and reads the whole answer. */
  <A> CompletableFuture<A> send(HttpRequest request, Function<HttpReply, A> meaning) {
    return send(request, BodyHandlers.ofByteArray(), meaning);
  }

  /** Asks, and throws the answer's body away as it comes. */
  public <A> CompletableFuture<A> sendForHeaders(
      HttpRequest request, Function<HttpReply, A> meaning) {
    return send(request, BodyHandlers.replacing(new byte[0]), meaning);
  }

  private <A> CompletableFuture<A> send(
      HttpRequest request, BodyHandler<byte[]> body, Function<HttpReply, A> meaning) {
    return wire.send(request, body).thenApply(reply -> understood(reply, meaning));
  }

  private static <A> A understood(HttpReply reply, Function<HttpReply, A> meaning) {
    ServerRefusals.notAllowed(reply)
        .ifPresent(
            why -> {
              throw new HttpStreams.NotAllowed(why);
            });
    try {
      return meaning.apply(reply);
    } catch (IllegalArgumentException e) {
      throw ServerRefusals.strange(reply);
    }
  }

  /** What is still on its way fails. */
  @Override
  public void close() {
    wire.close();
  }
}

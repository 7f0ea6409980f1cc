package dev.semel.stream.client;

import dev.semel.InvalidInput;
import dev.semel.internal.PrintableText;
import dev.semel.net.internal.ServerUrl;
import dev.semel.stream.StreamPath;
import dev.semel.stream.client.internal.HttpReply;
import dev.semel.stream.client.internal.HttpWire;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpRequest;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Sends requests to one Semel server and interprets its answers. Sends nothing twice. */
public final class HttpCalls implements AutoCloseable {
  private static final String STREAMS = "/v1/stream/";

  private final HttpWire wire;
  private final URI base;
  private final String token;

  /**
   * Sends nothing yet.
   *
   * @param token empty: none
   */
  HttpCalls(URI server, String token, HttpWire wire) {
    this.wire = wire;
    this.base = ServerUrl.root(server);
    this.token = ServerUrl.token(token);
  }

  /** The server's address, for people. */
  String address() {
    return ServerUrl.text(base);
  }

  /** A request to a stream, to be completed. */
  public HttpRequest.Builder stream(StreamPath path, String query) {
    return request(streamPath(path) + query);
  }

  static String streamPath(StreamPath path) {
    StringBuilder encoded = new StringBuilder(STREAMS);
    for (String segment : path.text().split("/", -1)) {
      encoded
          .append(encoded.length() == STREAMS.length() ? "" : "/")
          .append(ServerUrl.encode(segment));
    }
    return encoded.toString();
  }

  HttpRequest.Builder request(String pathAndQuery) {
    try {
      HttpRequest.Builder builder =
          HttpRequest.newBuilder(new URI(address() + pathAndQuery)).timeout(HttpWire.TIMEOUT);
      ServerUrl.authorize(builder, token);
      return builder;
    } catch (URISyntaxException e) {
      throw new InvalidInput("no address can be made of " + PrintableText.quoted(pathAndQuery));
    }
  }

  /** Sends a request, and reads the whole answer. */
  <A> CompletableFuture<A> send(HttpRequest request, Function<HttpReply, A> meaning) {
    return wire.send(request).thenApply(reply -> understood(reply, meaning));
  }

  /** Sends a request, and discards the answer's body as it arrives. */
  public <A> CompletableFuture<A> sendForHeaders(
      HttpRequest request, Function<HttpReply, A> meaning) {
    return wire.sendForHeaders(request).thenApply(reply -> understood(reply, meaning));
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

  /** Requests without an answer fail. */
  @Override
  public void close() {
    wire.close();
  }
}

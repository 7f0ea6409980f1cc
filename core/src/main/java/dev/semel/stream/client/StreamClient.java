package dev.semel.stream.client;

import dev.semel.InvalidInput;
import dev.semel.net.internal.ServerUrl;
import dev.semel.stream.StreamPath;
import dev.semel.stream.client.internal.HttpWire;
import dev.semel.stream.client.internal.RequestAdditions;
import dev.semel.stream.client.internal.StreamCalls;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;

/**
 * The entry point to streams on servers: of a Semel server by path, of any server of the protocol
 * by address. Safe for use by many threads; has no threads except those of the JDK's HTTP client.
 *
 * <p>A client made by {@code with…} shares the connections of its original: closing one closes all.
 * A token or header of a client is sent to every server whose streams it opens.
 */
public final class StreamClient implements AutoCloseable {
  private final HttpWire wire;
  private final Optional<URI> server;
  private final RequestAdditions additions;

  private StreamClient(HttpWire wire, Optional<URI> server, RequestAdditions additions) {
    this.wire = wire;
    this.server = server;
    this.additions = additions;
  }

  /** A client for streams at any address; see {@link #at}. */
  public static StreamClient create() {
    return new StreamClient(new HttpWire(), Optional.empty(), RequestAdditions.NONE);
  }

  /**
   * A client of one Semel server; sends nothing yet.
   *
   * @param server scheme, host and port, such as {@code http://127.0.0.1:4437}
   */
  public static StreamClient connect(URI server) {
    return new StreamClient(
        new HttpWire(), Optional.of(ServerUrl.root(server)), RequestAdditions.NONE);
  }

  /**
   * A client of a server with {@code https} whose certificate the JVM does not trust.
   *
   * @param trust decides which certificates are trusted
   */
  public static StreamClient connect(URI server, SSLContext trust) {
    return new StreamClient(
        new HttpWire(Optional.of(trust)),
        Optional.of(ServerUrl.root(server)),
        RequestAdditions.NONE);
  }

  /** A client that sends this token with every request. */
  public StreamClient withToken(String token) {
    return with(
        new RequestAdditions(token, additions.headers(), additions.params(), additions.timeout()));
  }

  /**
   * A client that also sends these headers. The supplier is called for every request, repeated ones
   * included, so it may return a renewed token.
   */
  public StreamClient withHeaders(Supplier<Map<String, String>> headers) {
    return with(
        new RequestAdditions(additions.token(), headers, additions.params(), additions.timeout()));
  }

  /** A client that adds these parameters to addresses; the supplier is called for every request. */
  public StreamClient withParams(Supplier<Map<String, String>> params) {
    return with(
        new RequestAdditions(additions.token(), additions.headers(), params, additions.timeout()));
  }

  /** A client that waits this long for an answer; the default is half a minute. */
  public StreamClient withTimeout(Duration timeout) {
    return with(
        new RequestAdditions(additions.token(), additions.headers(), additions.params(), timeout));
  }

  private StreamClient with(RequestAdditions changed) {
    return new StreamClient(wire, server, changed);
  }

  /**
   * A handle to a stream of the server. Sends nothing: the stream may still have to be created.
   *
   * @param path such as {@code orders/eu}, not encoded
   */
  public DurableStream stream(String path) {
    URI base =
        server.orElseThrow(
            () ->
                new InvalidInput(
                    "this client knows no server: use connect(server), or at(address)"));
    return at(URI.create(ServerUrl.text(base) + HttpCalls.streamPath(new StreamPath(path))));
  }

  /** A handle to a stream of any server of the protocol. Sends nothing. */
  public DurableStream at(URI url) {
    return new DurableStream(new StreamCalls(wire, url, additions), Optional.empty());
  }

  /** Requests without an answer fail. */
  @Override
  public void close() {
    wire.close();
  }
}

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
 * The way to streams on servers: of Semel by their path, of any server of the protocol by their
 * address. Safe for many threads; starts and keeps no thread of its own beside those of the JDK's
 * HTTP client.
 *
 * <p>A client made of another one by {@code with…} shares its connections: closing one closes all.
 * What a client carries, such as a token, goes to every server whose streams are opened with it.
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

  /** For streams at any address; see {@link #at}. */
  public static StreamClient create() {
    return new StreamClient(new HttpWire(), Optional.empty(), RequestAdditions.NONE);
  }

  /**
   * Sends nothing yet.
   *
   * @param server a Semel server: scheme, host and port, such as {@code http://127.0.0.1:4437}
   */
  public static StreamClient connect(URI server) {
    return new StreamClient(
        new HttpWire(), Optional.of(ServerUrl.root(server)), RequestAdditions.NONE);
  }

  /**
   * The same for a server with {@code https} whose certificate the JVM does not trust.
   *
   * @param trust which certificates are believed
   */
  public static StreamClient connect(URI server, SSLContext trust) {
    return new StreamClient(
        new HttpWire(Optional.of(trust)),
        Optional.of(ServerUrl.root(server)),
        RequestAdditions.NONE);
  }

  /** The same client, which shows this token to the server with every request. */
  public StreamClient withToken(String token) {
    return with(
        new RequestAdditions(token, additions.headers(), additions.params(), additions.timeout()));
  }

  /**
   * The same client, which sends these headers too. They are asked for whenever a request is made,
   * repeated ones included, so a token may be renewed here.
   */
  public StreamClient withHeaders(Supplier<Map<String, String>> headers) {
    return with(
        new RequestAdditions(additions.token(), headers, additions.params(), additions.timeout()));
  }

  /** The same client, which adds these parameters to addresses; asked for as headers are. */
  public StreamClient withParams(Supplier<Map<String, String>> params) {
    return with(
        new RequestAdditions(additions.token(), additions.headers(), params, additions.timeout()));
  }

  /** The same client, which waits that long for an answer; without it half a minute. */
  public StreamClient withTimeout(Duration timeout) {
    return with(
        new RequestAdditions(additions.token(), additions.headers(), additions.params(), timeout));
  }

  private StreamClient with(RequestAdditions changed) {
    return new StreamClient(wire, server, changed);
  }

  /**
   * A stream of the server. Sends nothing: it may still have to be created.
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

  /** A stream of any server of the protocol. Sends nothing. */
  public DurableStream at(URI url) {
    return new DurableStream(new StreamCalls(wire, url, additions), Optional.empty());
  }

  /** What is still on its way fails. */
  @Override
  public void close() {
    wire.close();
  }
}

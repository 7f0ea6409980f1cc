package dev.semel.server;

import dev.semel.InvalidInput;
import dev.semel.server.http.ConnectionLimits;
import dev.semel.server.http.ShutdownTimes;
import dev.semel.server.http.TlsSettings;
import dev.semel.server.stream.StreamHttpSettings;
import dev.semel.server.subscription.SubscriptionSettings;
import java.time.Duration;
import java.util.Set;

/**
 * Settings of a server, which you pass to {@link SemelServer#start}: address, limits, access and
 * TLS. Start from {@link #defaults}.
 *
 * @param port 0: any free port
 * @param eventLoops threads that serve connections
 * @param shutdown drain and grace of a closing server
 * @param maxHeaderBytes limit for all headers of a request together; its first line may be as long
 * @param subscriptions limits and public address of subscriptions; the server itself sets the root
 *     of stream paths, and whether webhooks may go to this machine
 * @param origins other web pages that may call the server from a browser, such as {@code
 *     http://localhost:3000}; with tokens, every page may try
 * @param readOnly whether the server refuses every change
 * @param connections limits of callers' connections
 * @param tls certificate, and whether TLS is required
 */
public record ServerSettings(
    String host,
    int port,
    int eventLoops,
    ShutdownTimes shutdown,
    int maxHeaderBytes,
    StreamHttpSettings serving,
    SubscriptionSettings subscriptions,
    AccessRules access,
    Set<String> origins,
    boolean readOnly,
    ConnectionLimits connections,
    TlsSettings tls) {
  public static final int DEFAULT_PORT = 4437;

  public ServerSettings {
    if (port < 0 || port > 65_535) {
      throw new InvalidInput("the port %d is none: use one from 0 to 65535".formatted(port));
    }
    if (eventLoops < 1 || maxHeaderBytes < 1024) {
      throw new InvalidInput(
          "the server can't work like that: use at least 1 event loop and 1024 bytes of headers");
    }
    origins = Set.copyOf(origins);
  }

  public static ServerSettings defaults() {
    return new ServerSettings(
        "127.0.0.1",
        DEFAULT_PORT,
        Math.max(1, Runtime.getRuntime().availableProcessors() / 2),
        ShutdownTimes.defaults(),
        16 << 10,
        StreamHttpSettings.defaults(),
        SubscriptionSettings.defaults(),
        AccessRules.open(),
        Set.of(),
        false,
        ConnectionLimits.defaults(),
        TlsSettings.NONE);
  }

  public ServerSettings withAddress(String newHost, int newPort) {
    return new ServerSettings(
        newHost,
        newPort,
        eventLoops,
        shutdown,
        maxHeaderBytes,
        serving,
        subscriptions,
        access,
        origins,
        readOnly,
        connections,
        tls);
  }

  public ServerSettings withEventLoops(int count) {
    return new ServerSettings(
        host,
        port,
        count,
        shutdown,
        maxHeaderBytes,
        serving,
        subscriptions,
        access,
        origins,
        readOnly,
        connections,
        tls);
  }

  public ServerSettings withShutdown(ShutdownTimes times) {
    return new ServerSettings(
        host,
        port,
        eventLoops,
        times,
        maxHeaderBytes,
        serving,
        subscriptions,
        access,
        origins,
        readOnly,
        connections,
        tls);
  }

  /** Sets how long requests in progress may take when the server is closed. */
  public ServerSettings withGrace(Duration time) {
    return withShutdown(shutdown.withGrace(time));
  }

  /**
   * Sets how long a closing server keeps serving while it is not ready, so that load balancers
   * choose other servers.
   */
  public ServerSettings withDrain(Duration time) {
    return withShutdown(shutdown.withDrain(time));
  }

  public ServerSettings withServing(StreamHttpSettings other) {
    return new ServerSettings(
        host,
        port,
        eventLoops,
        shutdown,
        maxHeaderBytes,
        other,
        subscriptions,
        access,
        origins,
        readOnly,
        connections,
        tls);
  }

  public ServerSettings withLongPoll(Duration time) {
    return withServing(serving.withLongPoll(time));
  }

  public ServerSettings withSubscriptions(SubscriptionSettings others) {
    return new ServerSettings(
        host,
        port,
        eventLoops,
        shutdown,
        maxHeaderBytes,
        serving,
        others,
        access,
        origins,
        readOnly,
        connections,
        tls);
  }

  /**
   * Sets the address by which others reach this server, such as {@code https://streams.example}.
   * The callback addresses of wakes begin with it.
   */
  public ServerSettings withPublicUrl(String url) {
    return withSubscriptions(subscriptions.withPublicUrl(url));
  }

  public ServerSettings withAccess(AccessRules other) {
    return new ServerSettings(
        host,
        port,
        eventLoops,
        shutdown,
        maxHeaderBytes,
        serving,
        subscriptions,
        other,
        origins,
        readOnly,
        connections,
        tls);
  }

  public ServerSettings withOrigins(Set<String> others) {
    return new ServerSettings(
        host,
        port,
        eventLoops,
        shutdown,
        maxHeaderBytes,
        serving,
        subscriptions,
        access,
        others,
        readOnly,
        connections,
        tls);
  }

  public ServerSettings withReadOnly(boolean only) {
    return new ServerSettings(
        host,
        port,
        eventLoops,
        shutdown,
        maxHeaderBytes,
        serving,
        subscriptions,
        access,
        origins,
        only,
        connections,
        tls);
  }

  public ServerSettings withTls(TlsSettings other) {
    return new ServerSettings(
        host,
        port,
        eventLoops,
        shutdown,
        maxHeaderBytes,
        serving,
        subscriptions,
        access,
        origins,
        readOnly,
        connections,
        other);
  }

  public ServerSettings withConnections(ConnectionLimits others) {
    return new ServerSettings(
        host,
        port,
        eventLoops,
        shutdown,
        maxHeaderBytes,
        serving,
        subscriptions,
        access,
        origins,
        readOnly,
        others,
        tls);
  }
}

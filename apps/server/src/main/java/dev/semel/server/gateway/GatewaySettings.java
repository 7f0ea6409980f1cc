package dev.semel.server.gateway;

import dev.semel.InvalidInput;
import dev.semel.http.HttpRules;
import dev.semel.internal.PrintableText;
import dev.semel.server.http.ConnectionLimits;
import dev.semel.server.http.LoopbackAddresses;
import dev.semel.server.http.ShutdownTimes;
import dev.semel.server.http.TlsSettings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * How a gateway is set up.
 *
 * @param port 0: any that is free
 * @param eventLoops threads that serve connections
 * @param shutdown how long it takes until it is closed
 * @param maxHeaderBytes all headers of a request or an answer together; a request's first line may
 *     be as long
 * @param rules which requests are guarded, and how
 * @param paths those below which requests are guarded; empty: all
 * @param tenantHeader names whose request it is; it is believed, so whoever stands before the
 *     gateway must set it. Where it is missing, the hash of Authorization does
 * @param forwarding what the upstream is told of the caller
 * @param open whether others than this machine may call
 * @param connections what it bears of its callers' connections
 * @param tls whether it speaks TLS
 */
public record GatewaySettings(
    String host,
    int port,
    int eventLoops,
    ShutdownTimes shutdown,
    int maxHeaderBytes,
    Upstream upstream,
    HttpRules rules,
    List<String> paths,
    Optional<String> tenantHeader,
    Forwarding forwarding,
    GatewayLimits limits,
    boolean open,
    ConnectionLimits connections,
    TlsSettings tls) {
  public static final int DEFAULT_PORT = 4438;

  /** Most paths. */
  public static final int MAX_PATHS = 100;

  private static final Pattern HEADER = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}");

  /**
   * What the upstream is told of the caller.
   *
   * @param trusted what the caller says of where it comes from is passed on and added to: right
   *     behind another proxy, wrong where callers come themselves
   * @param host the caller's own Host is passed on; else it is the upstream's
   * @param underscores headers with an underscore in their name are passed on, but for those that
   *     could be taken for one that the gateway sets or decides by
   */
  public record Forwarding(boolean trusted, boolean host, boolean underscores) {
    public Forwarding(boolean trusted, boolean host) {
      this(trusted, host, false);
    }
  }

  public GatewaySettings {
    if (port < 0 || port > 65_535) {
      throw new InvalidInput("the port %d is none: use one from 0 to 65535".formatted(port));
    }
    if (eventLoops < 1 || maxHeaderBytes < 1024) {
      throw new InvalidInput(
          "the gateway can't work like that: use at least 1 event loop and 1024 bytes of headers");
    }
    paths = List.copyOf(paths);
    if (paths.size() > MAX_PATHS) {
      throw new InvalidInput(
          "there are %d paths and the limit is %d".formatted(paths.size(), MAX_PATHS));
    }
    for (String path : paths) {
      if (!path.startsWith("/")) {
        throw new InvalidInput(
            "the path %s does not begin with a slash".formatted(PrintableText.quoted(path)));
      }
    }
    tenantHeader.ifPresent(GatewaySettings::checkHeader);
  }

  /** Throws unless a header can be called that. */
  public static String checkHeader(String name) {
    if (!HEADER.matcher(name).matches()) {
      throw new InvalidInput("%s is no name of a header".formatted(PrintableText.quoted(name)));
    }
    return name;
  }

  public static GatewaySettings to(Upstream upstream) {
    return new GatewaySettings(
        "127.0.0.1",
        DEFAULT_PORT,
        Math.max(1, Runtime.getRuntime().availableProcessors() / 2),
        ShutdownTimes.defaults(),
        32 << 10,
        upstream,
        HttpRules.of("http"),
        List.of(),
        Optional.empty(),
        new Forwarding(false, false, false),
        GatewayLimits.defaults(),
        false,
        ConnectionLimits.defaults(),
        TlsSettings.NONE);
  }

  /**
   * Where it listens.
   *
   * @param anyone whether others than this machine may call
   */
  public GatewaySettings withAddress(String newHost, int newPort, boolean anyone) {
    return new GatewaySettings(
        newHost,
        newPort,
        eventLoops,
        shutdown,
        maxHeaderBytes,
        upstream,
        rules,
        paths,
        tenantHeader,
        forwarding,
        limits,
        anyone,
        connections,
        tls);
  }

  public GatewaySettings withEventLoops(int count) {
    return new GatewaySettings(
        host,
        port,
        count,
        shutdown,
        maxHeaderBytes,
        upstream,
        rules,
        paths,
        tenantHeader,
        forwarding,
        limits,
        open,
        connections,
        tls);
  }

  public GatewaySettings withShutdown(ShutdownTimes times) {
    return new GatewaySettings(
        host,
        port,
        eventLoops,
        times,
        maxHeaderBytes,
        upstream,
        rules,
        paths,
        tenantHeader,
        forwarding,
        limits,
        open,
        connections,
        tls);
  }

  /** How long requests in progress may take when the gateway is closed. */
  public GatewaySettings withGrace(Duration time) {
    return withShutdown(shutdown.withGrace(time));
  }

  /** How long it goes on, but not ready, before it closes: load balancers turn to others. */
  public GatewaySettings withDrain(Duration time) {
    return withShutdown(shutdown.withDrain(time));
  }

  public GatewaySettings withRules(HttpRules others, List<String> below) {
    return new GatewaySettings(
        host,
        port,
        eventLoops,
        shutdown,
        maxHeaderBytes,
        upstream,
        others,
        below,
        tenantHeader,
        forwarding,
        limits,
        open,
        connections,
        tls);
  }

  public GatewaySettings withCallers(Optional<String> tenants, Forwarding told) {
    return new GatewaySettings(
        host,
        port,
        eventLoops,
        shutdown,
        maxHeaderBytes,
        upstream,
        rules,
        paths,
        tenants,
        told,
        limits,
        open,
        connections,
        tls);
  }

  public GatewaySettings withLimits(GatewayLimits others) {
    return new GatewaySettings(
        host,
        port,
        eventLoops,
        shutdown,
        maxHeaderBytes,
        upstream,
        rules,
        paths,
        tenantHeader,
        forwarding,
        others,
        open,
        connections,
        tls);
  }

  public GatewaySettings withTls(TlsSettings other) {
    return new GatewaySettings(
        host,
        port,
        eventLoops,
        shutdown,
        maxHeaderBytes,
        upstream,
        rules,
        paths,
        tenantHeader,
        forwarding,
        limits,
        open,
        connections,
        other);
  }

  public GatewaySettings withConnections(ConnectionLimits others) {
    return new GatewaySettings(
        host,
        port,
        eventLoops,
        shutdown,
        maxHeaderBytes,
        upstream,
        rules,
        paths,
        tenantHeader,
        forwarding,
        limits,
        open,
        others,
        tls);
  }

  /** Throws where the service would be opened to the network, or call itself, by mistake. */
  void check() {
    tls.check(host);
    if (!open && !LoopbackAddresses.isAddress(host)) {
      throw new InvalidInput(
          "anyone on the network could call %s through %s: say that this is meant, or listen on 127.0.0.1"
              .formatted(upstream, host));
    }
    if (port != 0 && port == upstream.port() && sameMachine()) {
      throw new InvalidInput("the upstream %s is the gateway itself".formatted(upstream));
    }
  }

  private boolean sameMachine() {
    return upstream.host().equals(host)
        || (LoopbackAddresses.isAddress(upstream.host())
            && (LoopbackAddresses.isAddress(host) || open));
  }
}

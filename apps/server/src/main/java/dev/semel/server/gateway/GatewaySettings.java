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
 * Settings of a gateway, which you pass to {@link Gateway#start}: address, upstream, rules, limits
 * and TLS. Start from {@link #to}.
 *
 * @param port 0: any free port
 * @param eventLoops threads that serve connections
 * @param shutdown drain and grace of a closing gateway
 * @param maxHeaderBytes limit for all headers of a request or an answer together; a request's first
 *     line may be as long
 * @param rules which requests are guarded, and how
 * @param paths prefixes below which requests are guarded; empty: all
 * @param tenantHeader header that names the tenant. The gateway trusts it, so a proxy before the
 *     gateway must set it. Without the header, the hash of Authorization is the tenant
 * @param forwarding what the gateway tells the upstream about the caller
 * @param open whether other machines may call
 * @param connections limits of callers' connections
 * @param tls certificate, and whether TLS is required
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

  /** Limit of paths. */
  public static final int MAX_PATHS = 100;

  private static final Pattern HEADER = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}");

  /**
   * Headers that tell the upstream about the caller.
   *
   * @param trusted whether to pass on and extend what the caller says about its origin: right
   *     behind another proxy, wrong if callers connect directly
   * @param host whether to pass on the caller's Host; else the upstream gets its own name
   * @param underscores whether to pass on headers with an underscore in their name, except those
   *     that could be taken for one that the gateway sets or decides by
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

  /** Throws unless this is a valid name of a header. */
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
   * Sets where the gateway listens.
   *
   * @param anyone whether other machines may call
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

  /** Sets how long requests in progress may take when the gateway is closed. */
  public GatewaySettings withGrace(Duration time) {
    return withShutdown(shutdown.withGrace(time));
  }

  /**
   * Sets how long a closing gateway keeps serving while it is not ready, so that load balancers
   * choose other gateways.
   */
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

  /**
   * Throws if the settings would, by mistake, open the service to the network or make the gateway
   * call itself.
   */
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

package dev.semel.cli.serve;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.semel.InvalidInput;
import dev.semel.cli.ByteSizes;
import dev.semel.cli.OptionFile;
import dev.semel.cli.OptionLayers;
import dev.semel.server.gateway.GatewayLimits;
import dev.semel.server.gateway.GatewaySettings;
import dev.semel.server.gateway.Upstream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of a gateway, from all layers: see {@link OptionLayers}. */
public final class GatewayOptions {
  /** Limit of a file of certificates. */
  private static final int MAX_CERTIFICATE_BYTES = 1 << 20;

  @Mixin private final GatewayRuleOptions rules = new GatewayRuleOptions();

  @Mixin private final DrainOptions draining = new DrainOptions();

  @Mixin private final ConnectionOptions callers = new ConnectionOptions();

  @Mixin private final TlsOptions tls = new TlsOptions();

  @Option(
      names = "--upstream",
      paramLabel = "URL",
      description = "The service: http://HOST[:PORT] or https://HOST[:PORT].")
  private @Nullable String upstream;

  @Option(
      names = "--upstream-ca",
      paramLabel = "FILE",
      description =
          "Certificates in PEM that the service's own must come from (default: those that Java"
              + " trusts).")
  private @Nullable String upstreamCa;

  @Option(
      names = "--host",
      paramLabel = "HOST",
      defaultValue = "127.0.0.1",
      description = "The address to listen on (default: ${DEFAULT-VALUE}).")
  private String host = "127.0.0.1";

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "4438",
      description = "The port; 0: any that is free (default: ${DEFAULT-VALUE}).")
  private int port = GatewaySettings.DEFAULT_PORT;

  @Option(
      names = "--public",
      description = "Others than this machine may call; needed for any other --host.")
  private boolean open;

  @Option(
      names = "--tenant-header",
      paramLabel = "NAME",
      description =
          "Whose request it is; set by whoever stands before the gateway, never by callers"
              + " (default: the hash of Authorization).")
  private @Nullable String tenantHeader;

  @Option(
      names = "--max-guarded",
      paramLabel = "N",
      defaultValue = "512",
      description = "Requests with a key at a time (default: ${DEFAULT-VALUE}).")
  private int maxGuarded = 512;

  @Option(
      names = "--held-bytes",
      paramLabel = "SIZE",
      description =
          "Most bytes held for callers at a time: bodies that came in, answers that were not taken"
              + " yet. Beyond it new requests get 503 (default: a third of the heap).")
  private @Nullable String heldBytes;

  @Option(
      names = "--connections",
      paramLabel = "N",
      defaultValue = "256",
      description = "Connections to the service (default: ${DEFAULT-VALUE}).")
  private int connections = 256;

  @Option(
      names = "--connect-timeout",
      paramLabel = "TIME",
      defaultValue = "5s",
      description = "Until the service can be reached (default: ${DEFAULT-VALUE}).")
  private Duration connectTimeout = Duration.ofSeconds(5);

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      defaultValue = "60s",
      description = "Until the service has answered (default: ${DEFAULT-VALUE}).")
  private Duration timeout = Duration.ofSeconds(60);

  @Option(names = "--preserve-host", description = "Pass on the Host that callers sent.")
  private boolean preserveHost;

  @Option(
      names = "--trust-forwarded",
      description = "Pass on X-Forwarded-* and Forwarded: for a gateway behind another proxy.")
  private boolean trustForwarded;

  @Option(
      names = "--pass-underscores",
      description =
          "Pass on headers with an underscore in their name, but for those that read as another"
              + " one of the gateway's behind CGI.")
  private boolean passUnderscores;

  /**
   * @param folder base of relative paths
   */
  GatewaySettings settings(Path folder) {
    GatewayLimits limits = GatewayLimits.defaults();
    return GatewaySettings.to(upstream(folder))
        .withAddress(host, port, open)
        .withShutdown(draining.times())
        .withTls(tls.settings(folder))
        .withRules(rules.rules(timeout), rules.paths())
        .withCallers(
            Optional.ofNullable(tenantHeader),
            new GatewaySettings.Forwarding(trustForwarded, preserveHost, passUnderscores))
        .withConnections(callers.limits())
        .withLimits(
            limits
                .withGuarded(maxGuarded)
                .withHeldBytes(
                    heldBytes == null
                        ? limits.heldBytes()
                        : ByteSizes.parse("--held-bytes", heldBytes))
                .withConnections(connections, limits.queue())
                .withTimeouts(connectTimeout, timeout));
  }

  private Upstream upstream(Path folder) {
    if (upstream == null) {
      throw new InvalidInput(
          "there is nothing to guard: name the service with --upstream URL, SEMEL_GATEWAY_UPSTREAM or gateway.upstream in semel.yaml");
    }
    Upstream service = Upstream.parse(upstream);
    return upstreamCa == null
        ? service
        : service.trusting(
            OptionFile.text(
                folder, "--upstream-ca", upstreamCa, MAX_CERTIFICATE_BYTES, ISO_8859_1));
  }
}

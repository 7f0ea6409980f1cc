package dev.semel.cli.serve;

import dev.semel.InvalidInput;
import dev.semel.Operation;
import dev.semel.cli.ByteSizes;
import dev.semel.http.HttpHeader;
import dev.semel.http.HttpProfile;
import dev.semel.http.HttpRules;
import dev.semel.http.KeptStatuses;
import dev.semel.http.KeyRule;
import dev.semel.http.KeySource;
import dev.semel.http.KeySyntax;
import dev.semel.idempotency.ExecutionPolicy;
import dev.semel.json.JsonPointer;
import dev.semel.server.gateway.GatewaySettings;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** Options for the requests that a gateway guards. */
final class GatewayRuleOptions {
  /** Highest limit of a request's or an answer's size. */
  private static final int MAX_BYTES = 64 << 20;

  @Option(
      names = "--profile",
      paramLabel = "NAME",
      defaultValue = "ietf",
      description = "What callers are told: ietf, stripe or adr (default: ${DEFAULT-VALUE}).")
  private String profile = "ietf";

  @Option(
      names = "--operation",
      paramLabel = "NAME",
      defaultValue = "http",
      description = "What the keys belong to (default: ${DEFAULT-VALUE}).")
  private String operation = "http";

  @ArgGroup private @Nullable KeyFrom keyFrom;

  private static final class KeyFrom {
    @Option(
        names = "--key-header",
        paramLabel = "NAME",
        description = "The header with the key (default: Idempotency-Key).")
    private @Nullable String header;

    @Option(
        names = "--key-pointer",
        paramLabel = "POINTER",
        description = "Where the key is in a JSON body, such as /id of a webhook's event.")
    private @Nullable String pointer;

    @Option(
        names = "--key-content",
        description = "Requests with the same method, address and body are the same.")
    private boolean content;
  }

  @ArgGroup private @Nullable WithoutKey withoutKey;

  private static final class WithoutKey {
    @Option(names = "--require-key", description = "Refuse requests without a key.")
    private boolean required;

    @Option(names = "--generate-key", description = "Give such requests a key of their own.")
    private boolean generated;
  }

  @Option(
      names = "--strict-keys",
      description = "Keys must be in quotation marks, as the IETF's draft has it.")
  private boolean strict;

  @Option(
      names = "--methods",
      paramLabel = "LIST",
      split = ",",
      defaultValue = "POST,PATCH",
      description = "Those that are guarded (default: ${DEFAULT-VALUE}).")
  private List<String> methods = List.of("POST", "PATCH");

  @Option(
      names = "--path",
      paramLabel = "PATH",
      split = ",(?=/)",
      description = "Guard only what is below; can be given often.")
  private List<String> paths = List.of();

  @Option(
      names = "--fingerprint-header",
      paramLabel = "NAME",
      split = ",",
      description = "Must be equal too for two requests to be the same; can be given often.")
  private List<String> fingerprintHeaders = List.of();

  @Option(
      names = "--replay-header",
      paramLabel = "NAME",
      split = ",",
      description = "Repeat this header of answers too; can be given often.")
  private List<String> replayHeaders = List.of();

  @Option(
      names = "--retention",
      paramLabel = "TIME",
      defaultValue = "24h",
      description = "How long answers are kept (default: ${DEFAULT-VALUE}).")
  private Duration retention = Duration.ofHours(24);

  @Option(
      names = "--wait",
      paramLabel = "TIME",
      description = "Let a duplicate wait for the first one (default: refuse it).")
  private Duration wait = Duration.ZERO;

  @Option(
      names = "--lease",
      paramLabel = "TIME",
      defaultValue = "30s",
      description =
          "How long a key stays taken after a crash, before it is in doubt (default:"
              + " ${DEFAULT-VALUE}).")
  private Duration lease = Duration.ofSeconds(30);

  @Option(names = "--keep-5xx", description = "Keep and repeat these answers too.")
  private boolean keepServerErrors;

  @Option(names = "--release-4xx", description = "Let a request run again after such an answer.")
  private boolean releaseClientErrors;

  @Option(
      names = "--max-request",
      paramLabel = "SIZE",
      defaultValue = "1MiB",
      description = "Largest body of a request with a key (default: ${DEFAULT-VALUE}).")
  private String maxRequest = "1MiB";

  @Option(
      names = "--max-response",
      paramLabel = "SIZE",
      defaultValue = "1MiB",
      description = "Largest answer that is kept (default: ${DEFAULT-VALUE}).")
  private String maxResponse = "1MiB";

  List<String> paths() {
    return paths;
  }

  /**
   * @param timeout limit of the service's time
   */
  HttpRules rules(Duration timeout) {
    Set<String> replayed = new TreeSet<>(HttpRules.DEFAULT_REPLAYED_HEADERS);
    replayHeaders.forEach(name -> replayed.add(GatewaySettings.checkHeader(name)));
    fingerprintHeaders.forEach(GatewaySettings::checkHeader);
    return HttpRules.of(new Operation(operation).name())
        .withMethods(
            methods.stream()
                .map(method -> method.strip().toUpperCase(Locale.ROOT))
                .collect(Collectors.toUnmodifiableSet()))
        .withKeySource(keySource())
        .withKeyRule(keyRule())
        .withFingerprintHeaders(fingerprintHeaders)
        .withReplayedHeaders(replayed)
        .withKept(
            new KeptStatuses(!releaseClientErrors, keepServerErrors, KeptStatuses.DEFAULT.never()))
        .withProfile(HttpProfile.parse(profile))
        .withMaxRequestBytes(ByteSizes.parse("--max-request", maxRequest, MAX_BYTES))
        .withPolicy(policy(timeout));
  }

  private ExecutionPolicy policy(Duration timeout) {
    ExecutionPolicy policy =
        ExecutionPolicy.defaults()
            .withLease(lease)
            .withRetention(retention)
            .withWaitUpTo(wait)
            .withMaxResponseBytes(ByteSizes.parse("--max-response", maxResponse, MAX_BYTES));
    // A key must be held as long as the service may take.
    Duration hold = timeout.plus(policy.lease());
    return hold.compareTo(policy.maxHold()) > 0 ? policy.withMaxHold(hold) : policy;
  }

  private KeySource keySource() {
    KeySyntax syntax = strict ? KeySyntax.STRICT : KeySyntax.LENIENT;
    KeyFrom from = keyFrom;
    if (from != null && (from.pointer != null || from.content)) {
      if (strict) {
        throw new InvalidInput("--strict-keys is for keys in a header");
      }
      return from.pointer == null
          ? new KeySource.Content()
          : new KeySource.Body(JsonPointer.parse(from.pointer));
    }
    String name = from == null || from.header == null ? HttpHeader.KEY : from.header;
    return new KeySource.Header(GatewaySettings.checkHeader(name), syntax);
  }

  private KeyRule keyRule() {
    WithoutKey rule = withoutKey;
    if (rule != null && rule.required) {
      return KeyRule.REQUIRED;
    }
    return rule != null && rule.generated ? KeyRule.GENERATED : KeyRule.OPTIONAL;
  }
}

package dev.semel.spring;

import dev.semel.http.HttpProfile;
import dev.semel.http.HttpRules;
import dev.semel.http.KeyRule;
import dev.semel.http.KeySource;
import dev.semel.http.KeySyntax;
import dev.semel.idempotency.ExecutionPolicy;
import dev.semel.idempotency.OnOutage;
import dev.semel.idempotency.TakeoverPolicy;
import dev.semel.inbox.ConsumerSettings;
import dev.semel.json.JsonPointer;
import dev.semel.outbox.RelaySettings;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The configuration properties under {@code semel.*}.
 *
 * @param enabled Whether to enable Semel.
 * @param store URL of the store for idempotency records: memory:, sqlite:FILE, redis://… or
 *     redis-cluster://…. Default: the application's DataSource, or without one an SQLite file.
 * @param data Folder of the SQLite file that is used without a DataSource, and of the journals of
 *     what ran during a store outage.
 * @param datasource Bean name of the DataSource to use, if there are several and it is not the
 *     primary one.
 * @param tenant Tenant of methods whose annotation names none.
 * @param schema Whether to create missing tables, or only check them.
 * @param policy Defaults for annotated methods.
 * @param outbox Limits and history of the outbox.
 * @param relay How the relay publishes messages to the broker.
 * @param consumer How consumers receive messages from the broker.
 * @param health When the application's health is degraded.
 * @param metrics Meters and observations.
 * @param http Which requests with an Idempotency-Key are guarded.
 */
@ConfigurationProperties("semel")
public record SemelProperties(
    @DefaultValue("true") boolean enabled,
    @Nullable String store,
    @DefaultValue("semel-data") String data,
    @Nullable String datasource,
    @DefaultValue("default") String tenant,
    @DefaultValue("create") SchemaChoice schema,
    @DefaultValue PolicyProperties policy,
    @DefaultValue OutboxProperties outbox,
    @DefaultValue RelayProperties relay,
    @DefaultValue ConsumerProperties consumer,
    @DefaultValue HealthProperties health,
    @DefaultValue MetricsProperties metrics,
    @DefaultValue HttpProperties http) {
  /** What to do about the tables at the start. */
  public enum SchemaChoice {
    CREATE,
    CHECK
  }

  /**
   * Defaults for annotated methods.
   *
   * @param lease How long a claim holds without renewal.
   * @param maxHold How long a claim is renewed at most.
   * @param retention How long a finished record is kept.
   * @param takeover What happens to a key whose lease ended without a result.
   * @param waitUpTo How long a duplicate waits for the first call's result.
   * @param onOutage What happens while the store is unreachable.
   * @param maxResponse Largest result that is stored for replay. Duplicates of a larger one get a
   *     refusal.
   */
  public record PolicyProperties(
      @DefaultValue("30s") Duration lease,
      @DefaultValue("1h") Duration maxHold,
      @DefaultValue("24h") Duration retention,
      @DefaultValue("in-doubt") TakeoverPolicy takeover,
      @DefaultValue("0s") Duration waitUpTo,
      @DefaultValue("fail-closed") OnOutage onOutage,
      @DefaultValue("1MB") DataSize maxResponse) {
    ExecutionPolicy policy() {
      ExecutionPolicy defaults = ExecutionPolicy.defaults();
      return new ExecutionPolicy(
          lease,
          maxHold,
          retention,
          takeover,
          waitUpTo,
          defaults.onFailure(),
          onOutage,
          Math.toIntExact(maxResponse.toBytes()));
    }
  }

  /**
   * Limits and history of the outbox.
   *
   * @param maxPayload Largest payload. The outbox refuses a larger message when it is added.
   * @param keepHistory How long published messages are kept for replays and audits; 0 keeps none.
   */
  public record OutboxProperties(
      @DefaultValue("1MB") DataSize maxPayload, @DefaultValue("0s") Duration keepHistory) {}

  /**
   * How the relay publishes messages to the broker.
   *
   * @param enabled Whether this process runs a relay if there is a Transport bean.
   * @param lease How long a silent relay keeps its partitions before another takes them.
   * @param batch How many messages of a partition to read at a time.
   * @param maxInFlight How many messages may wait for the broker's confirmation at a time.
   * @param maxAttempts How often the broker may refuse a message before it becomes a dead letter.
   * @param firstPause Pause after the first refusal; it about doubles with each further one.
   * @param longestPause Upper limit of the pause.
   * @param poll How often to look for messages when no commit wakes the relay.
   */
  public record RelayProperties(
      @DefaultValue("true") boolean enabled,
      @DefaultValue("10s") Duration lease,
      @DefaultValue("1000") int batch,
      @DefaultValue("1000") int maxInFlight,
      @DefaultValue("10") int maxAttempts,
      @DefaultValue("200ms") Duration firstPause,
      @DefaultValue("1m") Duration longestPause,
      @DefaultValue("200ms") Duration poll) {
    RelaySettings settings() {
      return new RelaySettings(
          lease, batch, maxInFlight, maxAttempts, firstPause, longestPause, poll);
    }
  }

  /**
   * How consumers receive messages from the broker.
   *
   * @param enabled Whether this process runs consumers if there are InboxConsumer beans.
   * @param batch How many messages to receive at a time.
   * @param maxAttempts How often a message may be delivered before it becomes a dead letter.
   * @param firstPause Pause before a failed message is redelivered; it about doubles each time.
   * @param longestPause Upper limit of the pause.
   * @param extendEvery How often to tell the broker that messages are still being handled.
   * @param deadLetters Destination of dead letters.
   */
  public record ConsumerProperties(
      @DefaultValue("true") boolean enabled,
      @DefaultValue("100") int batch,
      @DefaultValue("10") int maxAttempts,
      @DefaultValue("200ms") Duration firstPause,
      @DefaultValue("1m") Duration longestPause,
      @DefaultValue("10s") Duration extendEvery,
      @DefaultValue("semel-dead-letters") String deadLetters) {
    ConsumerSettings settings() {
      return new ConsumerSettings(batch, maxAttempts, firstPause, longestPause, extendEvery);
    }
  }

  /**
   * When the application's health is degraded.
   *
   * @param maxOutboxAge Health is degraded when a message waits longer than this in the outbox.
   * @param maxLag Health is degraded when more messages wait at the broker for a consumer of this
   *     process.
   * @param rememberFor How long to show a dead letter or a key in doubt that this process met.
   * @param troubleFor How long a relay or consumer counts as in trouble after its last failure,
   *     unless a message goes through.
   * @param outOfServiceOn Reasons that take the instance out of service; all others only degrade
   *     its health. Default: store-away if semel.policy.on-outage is fail-closed.
   * @param readiness Whether the readiness group includes Semel's health, unless
   *     management.endpoint.health.group.readiness.include names its members.
   */
  public record HealthProperties(
      @DefaultValue("5m") Duration maxOutboxAge,
      @DefaultValue("10000") long maxLag,
      @DefaultValue("1h") Duration rememberFor,
      @DefaultValue("1m") Duration troubleFor,
      @Nullable Set<HealthReason> outOfServiceOn,
      @DefaultValue("true") boolean readiness) {
    /** Without its store a fail-closed instance runs nothing, so traffic should go elsewhere. */
    Set<HealthReason> outOfServiceOn(OnOutage onOutage) {
      Set<HealthReason> named = outOfServiceOn;
      if (named != null) {
        return named;
      }
      return switch (onOutage) {
        case FAIL_CLOSED -> Set.of(HealthReason.STORE_AWAY);
        case WARN_AND_CONTINUE -> Set.of();
      };
    }
  }

  /**
   * Meters and observations.
   *
   * @param enabled Whether to register meters if semel-micrometer is on the class path.
   * @param observations Whether to observe calls of annotated methods.
   * @param maxOperations How many operations get separate meters; the rest is counted as "other".
   * @param maxDestinations How many destinations and consumers of messages get separate meters; the
   *     rest is counted as "other".
   * @param sampleEvery How often to read the store's contents for the gauges.
   */
  public record MetricsProperties(
      @DefaultValue("true") boolean enabled,
      @DefaultValue("true") boolean observations,
      @DefaultValue("100") int maxOperations,
      @DefaultValue("100") int maxDestinations,
      @DefaultValue("30s") Duration sampleEvery) {}

  /**
   * Which requests with an {@code Idempotency-Key} are guarded.
   *
   * @param enabled Whether to register the filter if semel-servlet is on the class path.
   * @param paths Guarded paths, such as /payments, or /payments/* for it and all below.
   * @param methods Guarded HTTP methods.
   * @param operation Name of the operation.
   * @param profile Status codes of refusals.
   * @param keySource Where a request's key comes from: a header, a body member, or the whole
   *     content.
   * @param keyHeader Header with the key.
   * @param strictSyntax Whether the header must be a quoted string, as the IETF draft demands.
   * @param keyPointer JSON pointer to the key in the body, such as /event/id.
   * @param keyRule What happens to a request without a key.
   * @param fingerprintHeaders Headers that must also be equal in requests with the same key.
   * @param retention How long answers are kept. Default: semel.policy.retention.
   * @param waitUpTo How long a duplicate waits for the first request's answer.
   * @param maxRequest Largest body of a request with a key; larger ones are refused.
   * @param maxResponse Largest answer that is stored for replay. Duplicates of a larger one get a
   *     refusal.
   * @param sameTransaction Whether a request and its record share one Spring transaction; for
   *     handlers that only write to the database.
   * @param order Order of the filter; it must come after Spring Security's.
   */
  public record HttpProperties(
      @DefaultValue("false") boolean enabled,
      @DefaultValue("/*") List<String> paths,
      @DefaultValue({"POST", "PATCH"}) Set<String> methods,
      @DefaultValue("http") String operation,
      @DefaultValue("ietf") HttpProfile profile,
      @DefaultValue("header") KeyPlace keySource,
      @DefaultValue("Idempotency-Key") String keyHeader,
      @DefaultValue("false") boolean strictSyntax,
      @DefaultValue("/id") String keyPointer,
      @DefaultValue("optional") KeyRule keyRule,
      @DefaultValue List<String> fingerprintHeaders,
      @Nullable Duration retention,
      @DefaultValue("0s") Duration waitUpTo,
      @DefaultValue("1MB") DataSize maxRequest,
      @DefaultValue("1MB") DataSize maxResponse,
      @DefaultValue("false") boolean sameTransaction,
      @DefaultValue("-50") int order) {
    /** Where a request's key comes from. */
    public enum KeyPlace {
      HEADER,
      BODY,
      CONTENT
    }

    /** Converts the properties to core's rules. */
    HttpRules rules(ExecutionPolicy policy) {
      Duration kept = retention;
      ExecutionPolicy own = kept == null ? policy : policy.withRetention(kept);
      return HttpRules.of(operation)
          .withMethods(methods)
          .withProfile(profile)
          .withKeySource(source())
          .withKeyRule(keyRule)
          .withFingerprintHeaders(fingerprintHeaders)
          .withMaxRequestBytes(Math.toIntExact(maxRequest.toBytes()))
          .withPolicy(
              own.withWaitUpTo(waitUpTo)
                  .withMaxResponseBytes(Math.toIntExact(maxResponse.toBytes())));
    }

    private KeySource source() {
      return switch (keySource) {
        case HEADER ->
            new KeySource.Header(keyHeader, strictSyntax ? KeySyntax.STRICT : KeySyntax.LENIENT);
        case BODY -> new KeySource.Body(JsonPointer.parse(keyPointer));
        case CONTENT -> new KeySource.Content();
      };
    }
  }
}

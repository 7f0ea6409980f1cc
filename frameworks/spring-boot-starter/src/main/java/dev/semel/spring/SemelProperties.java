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
 * Everything under {@code semel.*}.
 *
 * @param enabled Whether Semel is set up at all.
 * @param store Where records are kept: memory:, sqlite:FILE, redis://… or redis-cluster://….
 *     Without it the application's DataSource, or else an SQLite file.
 * @param data Folder of the SQLite file that is used without a DataSource, and of the journals of
 *     what ran while the store was away.
 * @param datasource Name of the bean of the type DataSource to use, where there are several and
 *     none is the primary one, or another is meant.
 * @param tenant Tenant of methods whose annotation names none.
 * @param schema Whether tables are created where they are missing, or only looked for.
 * @param policy How methods are executed whose annotation says nothing else.
 * @param outbox What the outbox takes and keeps.
 * @param relay How messages are taken to the broker.
 * @param consumer How messages are taken from the broker.
 * @param health When the application is not well.
 * @param metrics What is metered.
 * @param http Which requests with an Idempotency-Key happen once.
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
  /** What is done about the tables. */
  public enum SchemaChoice {
    CREATE,
    CHECK
  }

  /**
   * How methods are executed.
   *
   * @param lease How long a claim holds without renewal.
   * @param maxHold How long it is renewed at most.
   * @param retention How long a record is kept.
   * @param takeover What happens when a holder died without a word.
   * @param waitUpTo How long a duplicate waits for the first one's result.
   * @param onOutage What happens while the store can't be asked.
   * @param maxResponse A larger result is not kept; duplicates are told so.
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
   * What the outbox takes and keeps.
   *
   * @param maxPayload A larger message is refused where it is added.
   * @param keepHistory How long published messages are kept, for replays and audits; 0 for not.
   */
  public record OutboxProperties(
      @DefaultValue("1MB") DataSize maxPayload, @DefaultValue("0s") Duration keepHistory) {}

  /**
   * How messages are taken to the broker.
   *
   * @param enabled Whether this process relays, where there is a Transport.
   * @param lease How long partitions stay with a relay that says nothing.
   * @param batch How many messages of a partition are read at a time.
   * @param maxInFlight How many may wait for the broker's word at a time.
   * @param maxAttempts How often the broker may refuse a message before it is a dead letter.
   * @param firstPause After the first refusal; about twice as long after each further one.
   * @param longestPause But no longer than this.
   * @param poll How often to look when nobody rings.
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
   * How messages are taken from the broker.
   *
   * @param enabled Whether this process consumes, where there are InboxConsumer beans.
   * @param batch How many messages are received at a time.
   * @param maxAttempts How often a message may be delivered before it is a dead letter.
   * @param firstPause Before a message that failed comes again; about twice as long each time.
   * @param longestPause But no longer than this.
   * @param extendEvery How often the broker is told that messages are still being worked on.
   * @param deadLetters Destination of messages that are given up.
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
   * When the application is not well.
   *
   * @param maxOutboxAge A message that waits longer than this is a sign that nobody relays.
   * @param maxLag How many messages may wait at the broker for a consumer of this process.
   * @param rememberFor How long a dead letter or a key in doubt that this process met is shown.
   * @param troubleFor How long a relay or consumer is said to be in trouble after it last was,
   *     unless a message goes through.
   * @param outOfServiceOn Reasons for which the instance is not ready; all others only degrade the
   *     health. Without it store-away, if semel.policy.on-outage is fail-closed.
   * @param readiness Whether the readiness group follows, unless its members are named by
   *     management.endpoint.health.group.readiness.include.
   */
  public record HealthProperties(
      @DefaultValue("5m") Duration maxOutboxAge,
      @DefaultValue("10000") long maxLag,
      @DefaultValue("1h") Duration rememberFor,
      @DefaultValue("1m") Duration troubleFor,
      @Nullable Set<HealthReason> outOfServiceOn,
      @DefaultValue("true") boolean readiness) {
    /** Where nothing runs without the store, requests had better go where there is one. */
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
   * What is metered.
   *
   * @param enabled Whether there are meters, where semel-micrometer is on the class path.
   * @param observations Whether calls of annotated methods are observed.
   * @param maxOperations How many operations have meters of their own; the rest is "other".
   * @param maxDestinations The same for destinations and consumers of messages.
   * @param sampleEvery How often what the store holds is read, for the gauges.
   */
  public record MetricsProperties(
      @DefaultValue("true") boolean enabled,
      @DefaultValue("true") boolean observations,
      @DefaultValue("100") int maxOperations,
      @DefaultValue("100") int maxDestinations,
      @DefaultValue("30s") Duration sampleEvery) {}

  /**
   * Which requests with an {@code Idempotency-Key} happen once.
   *
   * @param enabled Whether there is a filter, where semel-servlet is on the class path.
   * @param paths Paths that are guarded, such as /payments, or /payments/* for all below.
   * @param methods Methods that are guarded.
   * @param operation The operation's name.
   * @param profile Which status codes callers get.
   * @param keySource Where the key is.
   * @param keyHeader The header with the key.
   * @param strictSyntax Whether the header must be a quoted string, as the draft asks.
   * @param keyPointer JSON pointer to the key in the body, such as /event/id.
   * @param keyRule What becomes of a request without a key.
   * @param fingerprintHeaders Headers that must be equal too under one key.
   * @param retention How long answers are kept; without it, as semel.policy.retention says.
   * @param waitUpTo How long a duplicate waits for the first one's answer.
   * @param maxRequest A larger request with a key is refused.
   * @param maxResponse A larger answer is not kept; duplicates are told so.
   * @param sameTransaction Whether requests run in a transaction of Spring together with the record
   *     of them; for handlers that only write to the database.
   * @param order The filter's place; it must be behind Spring Security's.
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
    /** Where a request's key is. */
    public enum KeyPlace {
      HEADER,
      BODY,
      CONTENT
    }

    /** By the rules of core. */
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

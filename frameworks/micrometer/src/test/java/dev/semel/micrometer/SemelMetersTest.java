package dev.semel.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.StoreException;
import dev.semel.event.SemelListener;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.ExecutionPolicy;
import dev.semel.idempotency.ExecutionRequest;
import dev.semel.idempotency.FailurePolicy;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.KeyStrategies;
import dev.semel.idempotency.KeyStrategy;
import dev.semel.idempotency.MemoryStore;
import dev.semel.idempotency.Outcome;
import dev.semel.idempotency.TakeoverPolicy;
import dev.semel.idempotency.spi.Store;
import dev.semel.jdbc.SqliteStore;
import dev.semel.tck.ManualClock;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SemelMetersTest {
  private static final String PAY = "payment";

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  /** The same tests on every engine: meters come from events and from a wrapper of the store. */
  abstract class Executions {
    final ManualClock clock = new ManualClock();
    final SemelMeters meters = new SemelMeters(registry);

    abstract Store store();

    private Idempotency engine() {
      return new Idempotency(meters.timing(store()), meters);
    }

    @AfterEach
    void closeStore() {
      store().close();
    }

    @Test
    void executionsReplaysAndMismatchesAreCounted() {
      try (Idempotency idempotency = engine()) {
        execute(idempotency, "order-1", "body", ExecutionPolicy.defaults());
        execute(idempotency, "order-1", "body", ExecutionPolicy.defaults());
        execute(idempotency, "order-1", "body", ExecutionPolicy.defaults());
        execute(idempotency, "order-1", "another body", ExecutionPolicy.defaults());
        execute(idempotency, "order-2", "body", ExecutionPolicy.defaults());
      }
      assertThat(count("semel.requests", "granted")).isEqualTo(2);
      assertThat(count("semel.requests", "replayed")).isEqualTo(2);
      assertThat(count("semel.requests", "mismatch")).isEqualTo(1);
      assertThat(count("semel.processed", "completed")).isEqualTo(2);
      assertThat(count("semel.duplicates", "replayed")).isEqualTo(2);
      assertThat(count("semel.hits")).isEqualTo(2);
      assertThat(count("semel.misses")).isEqualTo(2);
      assertThat(registry.get("semel.execution").tag("operation", PAY).timer().count())
          .isEqualTo(2);
      assertThat(registry.get("semel.response.size").tag("operation", PAY).summary().totalAmount())
          .isEqualTo(2.0 * "done".length());
      assertThat(registry.get("semel.duplicate.age").tag("operation", PAY).timer().count())
          .isEqualTo(2);
    }

    @Test
    void checksAndRetentionsAreMeasuredAroundTheStore() {
      try (Idempotency idempotency = engine()) {
        execute(
            idempotency,
            "order-1",
            "b",
            ExecutionPolicy.defaults().withRetention(Duration.ofHours(2)));
        execute(idempotency, "order-1", "b", ExecutionPolicy.defaults());
      }
      assertThat(registry.get("semel.dedup.check").tag("operation", PAY).timer().count())
          .isEqualTo(2);
      assertThat(registry.get("semel.ttl").tag("operation", PAY).summary().count()).isEqualTo(1);
      assertThat(registry.get("semel.ttl").tag("operation", PAY).summary().max()).isEqualTo(7200);
    }

    @Test
    void failuresAreErrorsWhetherTheyAreKeptOrNot() {
      try (Idempotency idempotency = engine()) {
        assertThatThrownBy(
                () ->
                    idempotency.execute(
                        ExecutionRequest.of(Key.of(PAY, "order-1"), Codec.utf8()),
                        SemelMetersTest::fail))
            .isInstanceOf(IllegalArgumentException.class);
        ExecutionPolicy keeping = ExecutionPolicy.defaults().withOnFailure(FailurePolicy.STORE);
        ExecutionRequest<String> kept =
            ExecutionRequest.of(Key.of(PAY, "order-2"), Codec.utf8()).withPolicy(keeping);
        idempotency.execute(kept, SemelMetersTest::fail);
        idempotency.execute(kept, SemelMetersTest::fail);
      }
      assertThat(count("semel.errors", "released")).isEqualTo(1);
      assertThat(count("semel.errors", "failed")).isEqualTo(1);
      assertThat(count("semel.processed", "failed")).isEqualTo(1);
      assertThat(count("semel.hits")).isEqualTo(1);
    }

    @Test
    void duplicatesInFlightAndWorkThatWasFencedAreCounted() {
      ExecutionRequest<String> request = ExecutionRequest.of(Key.of(PAY, "order-1"), Codec.utf8());
      Store store = store();
      try (Idempotency idempotency = engine()) {
        Outcome<String> outcome =
            idempotency.execute(
                request,
                execution -> {
                  idempotency.execute(request, inner -> "never");
                  store.catalog().forceRelease(request.key());
                  return "done";
                });
        assertThat(outcome).isInstanceOf(Outcome.Executed.class);
      }
      assertThat(count("semel.requests", "in_flight")).isEqualTo(1);
      assertThat(count("semel.duplicates", "in_flight")).isEqualTo(1);
      assertThat(count("semel.fenced")).isEqualTo(1);
      assertThat(count("semel.processed", "unrecorded")).isEqualTo(1);
    }

    @Test
    void gaugesSayWhatTheStoreHolds() {
      try (Idempotency idempotency = engine()) {
        execute(idempotency, "order-1", "b", ExecutionPolicy.defaults());
        execute(idempotency, "order-1", "b", ExecutionPolicy.defaults());
        execute(idempotency, "order-2", "b", ExecutionPolicy.defaults());
        execute(idempotency, "order-2", "b", ExecutionPolicy.defaults());
      } // closing flushes the counts
      try (StatusMeters status =
          StatusMeters.start(
              registry, StatusMeters.Sources.of(store()), MeterSettings.defaults())) {
        status.refresh();
        await().untilAsserted(() -> assertThat(gauge("semel.store.up")).isEqualTo(1));
        assertThat(gauge("semel.active.keys")).isEqualTo(2);
        assertThat(gauge("semel.storage.usage")).isPositive();
        assertThat(gauge("semel.hit.rate")).isEqualTo(50);
      }
      assertThat(registry.find("semel.active.keys").gauge()).isNull();
    }
  }

  @Nested
  class InMemory extends Executions {
    private final Store store = new MemoryStore(clock);

    @Override
    Store store() {
      return store;
    }

    @Test
    void whatWasLeftInDoubtAndTakenOverIsCounted() {
      ExecutionPolicy again = ExecutionPolicy.defaults().withTakeover(TakeoverPolicy.RUN_AGAIN);
      try (Idempotency idempotency = new Idempotency(store, meters)) {
        assertThatThrownBy(
                () ->
                    idempotency.execute(
                        ExecutionRequest.of(Key.of(PAY, "order-1"), Codec.utf8()),
                        execution -> {
                          throw new AssertionError("as a crash");
                        }))
            .isInstanceOf(AssertionError.class);
        clock.advance(Duration.ofMinutes(1));
        execute(idempotency, "order-1", "", ExecutionPolicy.defaults());
        execute(idempotency, "order-1", "", again);
      }
      assertThat(count("semel.requests", "in_doubt")).isEqualTo(1);
      assertThat(count("semel.duplicates", "in_doubt")).isEqualTo(1);
      assertThat(count("semel.requests", "taken_over")).isEqualTo(1);
      assertThat(count("semel.misses")).isEqualTo(2);
    }

    @Test
    void aStoreThatCannotBeAskedIsAnError() {
      MemoryStore full = new MemoryStore(clock, 0);
      try (Idempotency idempotency = new Idempotency(meters.timing(full), meters)) {
        assertThatThrownBy(() -> execute(idempotency, "order-1", "", ExecutionPolicy.defaults()))
            .isInstanceOf(StoreException.class);
      }
      assertThat(count("semel.errors", "store")).isEqualTo(3); // it was tried that often
      assertThat(registry.get("semel.dedup.check").tag("operation", PAY).timer().count())
          .isEqualTo(3);
    }
  }

  @Nested
  class OnSqlite extends Executions {
    private final Store store;

    OnSqlite(@TempDir Path folder) {
      this.store = SqliteStore.open(folder.resolve("semel.db"), clock);
    }

    @Override
    Store store() {
      return store;
    }

    @Test
    void gaugesOfAStoreThatIsAwayAreNoNumbers() {
      try (StatusMeters status =
          StatusMeters.start(registry, StatusMeters.Sources.of(store), MeterSettings.defaults())) {
        await().untilAsserted(() -> assertThat(gauge("semel.store.up")).isEqualTo(1));
        store.close();
        status.refresh();
        await().untilAsserted(() -> assertThat(gauge("semel.store.up")).isZero());
        assertThat(gauge("semel.active.keys")).isNaN();
        assertThat(gauge("semel.hit.rate")).isNaN();
      }
    }
  }

  @Test
  void makingAKeyIsTimed() {
    SemelMeters meters = new SemelMeters(registry);
    KeyStrategy<Object> timed = meters.timing(new Operation(PAY), KeyStrategies.uuid7());
    assertThat(timed.keying("request").id()).isNotEmpty();
    timed.validate(timed.keying("request").id());
    assertThat(registry.get("semel.key.generation").tag("operation", PAY).timer().count())
        .isEqualTo(2);
  }

  @Test
  void operationsBeyondTheLimitAreCountedTogether() {
    SemelMeters meters = new SemelMeters(registry, MeterSettings.defaults().withMaxOperations(2));
    try (Idempotency idempotency =
        new Idempotency(new MemoryStore(new ManualClock()), SemelListener.NONE.and(meters))) {
      for (String operation : new String[] {"a", "b", "c", "d", "a"}) {
        idempotency.execute(
            Key.of(operation, "1"), Fingerprint.NONE, Codec.utf8(), execution -> "done");
      }
    }
    assertThat(tags("semel.requests", "operation")).containsExactlyInAnyOrder("a", "b", "other");
    assertThat(
            registry
                .get("semel.requests")
                .tag("operation", "other")
                .tag("outcome", "granted")
                .counter()
                .count())
        .isEqualTo(2);
  }

  @Test
  void noTagEverNamesATenantOrAnId() {
    SemelMeters meters = new SemelMeters(registry);
    try (Idempotency idempotency = new Idempotency(new MemoryStore(new ManualClock()), meters)) {
      idempotency.execute(
          Key.of("acme", PAY, "ann@example.com"), Fingerprint.NONE, Codec.utf8(), e -> "done");
    }
    Set<String> keys =
        registry.getMeters().stream()
            .map(Meter::getId)
            .flatMap(id -> id.getTags().stream())
            .map(Tag::getKey)
            .collect(Collectors.toSet());
    // "le" is this registry's tag for a histogram's buckets.
    assertThat(keys).isSubsetOf("le", "operation", "outcome", "destination", "consumer");
    assertThat(registry.getMeters().toString()).doesNotContain("acme", "ann@example.com");
  }

  private static String fail(Object execution) {
    throw new IllegalArgumentException("refused " + execution.getClass());
  }

  private static void execute(
      Idempotency idempotency, String id, String body, ExecutionPolicy policy) {
    idempotency.execute(
        ExecutionRequest.of(Key.of(PAY, id), Codec.utf8())
            .withFingerprint(Fingerprint.of(body))
            .withPolicy(policy),
        execution -> "done");
  }

  private double count(String name) {
    return registry.get(name).tag("operation", PAY).counter().count();
  }

  private double count(String name, String outcome) {
    return registry.get(name).tag("operation", PAY).tag("outcome", outcome).counter().count();
  }

  private double gauge(String name) {
    return registry.get(name).gauge().value();
  }

  private Set<String> tags(String name, String key) {
    Function<Meter, String> value = meter -> String.valueOf(meter.getId().getTag(key));
    return registry.get(name).counters().stream().map(value).collect(Collectors.toSet());
  }
}

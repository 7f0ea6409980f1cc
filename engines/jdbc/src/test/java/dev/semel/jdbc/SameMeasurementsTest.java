package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.admin.StoreAdmin;
import dev.semel.event.Event;
import dev.semel.event.SemelListener;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.ExecutionPolicy;
import dev.semel.idempotency.ExecutionRequest;
import dev.semel.idempotency.FailurePolicy;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.GuardedExecutor;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.OperationSetting;
import dev.semel.idempotency.TimingListener;
import dev.semel.idempotency.Work;
import dev.semel.idempotency.spi.DecisionCounter;
import dev.semel.idempotency.spi.DecisionCounts;
import dev.semel.idempotency.spi.StatisticsStore.Scope;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests in the same transaction are measured like those under a lease. */
class SameMeasurementsTest {
  @TempDir Path folder;

  /** Everything that listeners hear of some requests. */
  private record Heard(
      List<String> events,
      Map<Scope, Map<DecisionCounter, Long>> counts,
      List<String> checks,
      List<String> retentions,
      List<Duration> took) {}

  private static final class Noted implements TimingListener {
    final List<String> checks = new CopyOnWriteArrayList<>();
    final List<String> retentions = new CopyOnWriteArrayList<>();

    @Override
    public void checked(Operation operation, Duration took) {
      assertThat(took).isPositive();
      checks.add(operation.name());
    }

    @Override
    public void kept(Operation operation, Duration retention) {
      retentions.add(operation.name() + " " + retention);
    }

    @Override
    public void keyMade(Operation operation, Duration took) {}
  }

  private static ExecutionRequest<String> request(String operation, String id, String content) {
    return ExecutionRequest.of(Key.of(operation, id), Codec.utf8())
        .withFingerprint(Fingerprint.of(content))
        .withPolicy(ExecutionPolicy.defaults().withRetention(Duration.ofHours(3)));
  }

  private static void ask(
      GuardedExecutor once, ExecutionRequest<String> request, Work<String, Exception> work) {
    try {
      once.execute(request, work);
    } catch (Exception e) {
      assertThat(e).hasMessage("broken");
    }
  }

  private static void askAll(GuardedExecutor once) {
    Work<String, Exception> works = execution -> "done";
    Work<String, Exception> breaks =
        execution -> {
          throw new IllegalStateException("broken");
        };
    ask(once, request("payment", "1", "a"), works);
    ask(once, request("payment", "1", "a"), works);
    ask(once, request("payment", "1", "b"), works);
    ask(once, request("payment", "2", "a"), breaks);
    ask(once, request("payment", "2", "a"), works);
    ExecutionRequest<String> whole = request("payment", "3", "a");
    ExecutionRequest<String> kept =
        whole.withPolicy(whole.policy().withOnFailure(FailurePolicy.STORE));
    ask(once, kept, breaks);
    ask(once, kept, works);
    ask(once, request("set", "1", "a"), works);
    ask(once, request("off", "1", "a"), works);
  }

  private Heard heard(boolean sameTransaction) {
    Noted noted = new Noted();
    List<Event> events = new CopyOnWriteArrayList<>();
    SemelListener listener = events::add;
    Path file = folder.resolve(sameTransaction ? "same.db" : "lease.db");
    try (SqliteStore store = SqliteStore.open(file, InstantSource.system())) {
      new StoreAdmin(store, "test")
          .change(new Operation("set"), Map.of(OperationSetting.RETENTION, "30m"));
      new StoreAdmin(store, "test")
          .change(new Operation("off"), Map.of(OperationSetting.MODE, "off"));
      try (Idempotency idempotency = new Idempotency(noted.timing(store), listener);
          TransactionalIdempotency transactional =
              TransactionalIdempotency.on(store, idempotency.maintenance()).with(noted)) {
        askAll(sameTransaction ? transactional.asOnce() : idempotency);
      }
      Map<Scope, Map<DecisionCounter, Long>> counts = new HashMap<>();
      for (Map.Entry<Scope, DecisionCounts> entry : store.statistics().read().entrySet()) {
        counts.put(entry.getKey(), entry.getValue().values());
      }
      return new Heard(
          events.stream()
              .map(e -> e.getClass().getSimpleName() + " " + ((Event.Keyed) e).key())
              .toList(),
          counts,
          noted.checks,
          noted.retentions,
          events.stream()
              .filter(Event.Completed.class::isInstance)
              .map(e -> ((Event.Completed) e).took())
              .toList());
    }
  }

  @Test
  void eventsStatisticsChecksAndRetentions() {
    Heard lease = heard(false);
    Heard same = heard(true);
    assertThat(same.events()).isEqualTo(lease.events()).hasSizeGreaterThan(10);
    assertThat(same.counts()).isEqualTo(lease.counts()).hasSize(3);
    assertThat(same.checks()).isEqualTo(lease.checks()).hasSize(8);
    assertThat(same.retentions())
        .isEqualTo(lease.retentions())
        .containsExactly("payment PT3H", "payment PT3H", "payment PT3H", "set PT30M");
    assertThat(same.took()).hasSameSizeAs(lease.took()).allMatch(Duration::isPositive);
  }
}

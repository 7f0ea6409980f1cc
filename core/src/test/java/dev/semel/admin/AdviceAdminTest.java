package dev.semel.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.InvalidInput;
import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.Tenant;
import dev.semel.advice.Advice;
import dev.semel.advice.AdviceCriteria;
import dev.semel.advice.AdviceTopic;
import dev.semel.advice.internal.UsageFigures;
import dev.semel.event.SemelListener;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.ExecutionPolicy;
import dev.semel.idempotency.ExecutionRequest;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.MemoryStore;
import dev.semel.idempotency.OperationSetting;
import dev.semel.idempotency.spi.DecisionCounter;
import dev.semel.idempotency.spi.DecisionCounts;
import dev.semel.idempotency.spi.DuplicateAge;
import dev.semel.idempotency.spi.StatisticsStore.Scope;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AdviceAdminTest {
  private static final Operation PAYMENTS = new Operation("payments");

  private final MemoryStore store = new MemoryStore(InstantSource.system());
  private final AdviceAdmin admin = new AdviceAdmin(store, "ann");

  @AfterEach
  void close() {
    store.close();
  }

  private void count(DecisionCounts counts) {
    store.statistics().add(Map.of(new Scope(Tenant.DEFAULT, PAYMENTS), counts));
  }

  private UsageFigures figures() {
    return admin.figures(Map.of());
  }

  /** A payment, and once more. */
  private void payTwice(Duration retention) {
    ExecutionRequest<String> request =
        ExecutionRequest.of(Key.of("payments", "17"), Codec.utf8())
            .withPolicy(ExecutionPolicy.defaults().withRetention(retention));
    try (Idempotency idempotency = new Idempotency(store, SemelListener.NONE)) {
      idempotency.execute(request, execution -> "paid");
      idempotency.execute(request, execution -> "paid");
    }
  }

  @Test
  void whatTheCodeSaysOfTheRetentionIsSeenInRecords() {
    payTwice(Duration.ofDays(7));
    assertThat(figures().rules())
        .containsOnlyKeys(PAYMENTS)
        .allSatisfy((operation, rule) -> assertThat(rule.seen()).isEqualTo(Duration.ofDays(7)));
    new StoreAdmin(store, "ann").change(PAYMENTS, Map.of(OperationSetting.RETENTION, "3d"));
    assertThat(figures().rules())
        .allSatisfy(
            (operation, rule) -> {
              assertThat(rule.seen()).isEqualTo(Duration.ofDays(7));
              assertThat(rule.settings().values()).containsEntry(OperationSetting.RETENTION, "3d");
            });
  }

  @Test
  void theLastDayIsAddedUp() {
    payTwice(Duration.ofDays(7));
    DecisionCounts lately =
        figures().lately().counts().values().stream()
            .reduce(DecisionCounts.ZERO, DecisionCounts::plus);
    assertThat(lately.get(DecisionCounter.REQUESTS)).isEqualTo(2);
    assertThat(figures().lately().span()).isLessThan(Duration.ofHours(2));
    assertThat(figures().usage().activeKeys()).isOne();
  }

  @Test
  void anAdviceIsAppliedInTheOperatorsNameAndTheLogCallsItOne() {
    count(new DecisionCounts(Map.of(), Map.of(DuplicateAge.MINUTE, 1000L)));
    List<Advice> advice = admin.counsel(AdviceCriteria.usual(), Map.of()).advice();
    assertThat(advice).hasSize(1);

    assertThat(admin.apply(advice.getFirst()).settings().values())
        .containsExactly(Map.entry(OperationSetting.RETENTION, "10m"));

    assertThat(store.events().latest(10))
        .hasSize(2)
        .allSatisfy(line -> assertThat(line.kind()).isEqualTo("changed"))
        .allSatisfy(line -> assertThat(line.personal().more()).contains("\"ann\"", "\"payments\""));
    assertThat(store.events().latest(1).getFirst().details())
        .contains("apply advice retention-too-long: retention=10m");
    assertThat(admin.counsel(AdviceCriteria.usual(), Map.of()).advice()).isEmpty();
  }

  @Test
  void whatNoSettingHelpsWithCantBeApplied() {
    Advice broker =
        admin
            .counsel(AdviceCriteria.usual(), Map.of("nats", List.of("a window")))
            .advice()
            .getFirst();
    assertThat(broker.topic()).isEqualTo(AdviceTopic.BROKER);
    assertThatThrownBy(() -> admin.apply(broker))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("a window");
    assertThat(store.events().latest(10)).isEmpty();
  }
}

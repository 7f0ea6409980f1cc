package dev.semel.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Ids;
import dev.semel.Operation;
import dev.semel.Tenant;
import dev.semel.idempotency.Counter;
import dev.semel.idempotency.Counts;
import dev.semel.idempotency.StatisticsStore.Scope;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Everything that {@link dev.semel.idempotency.StatisticsStore} promises. */
public abstract class StatisticsStoreContract extends Contract {
  static Scope freshScope() {
    return new Scope(Tenant.DEFAULT, new Operation("op-" + Ids.uuid7()));
  }

  @Test
  void deltasAddUp() {
    Scope scope = freshScope();
    store().statistics().add(Map.of(scope, new Counts(Map.of(Counter.REQUESTS, 2L))));
    store()
        .statistics()
        .add(Map.of(scope, new Counts(Map.of(Counter.REQUESTS, 3L, Counter.REPLAYS, 1L))));
    assertThat(store().statistics().read())
        .containsEntry(scope, new Counts(Map.of(Counter.REQUESTS, 5L, Counter.REPLAYS, 1L)));
  }
}

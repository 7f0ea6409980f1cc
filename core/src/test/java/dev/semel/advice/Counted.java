package dev.semel.advice;

import dev.semel.Operation;
import dev.semel.Tenant;
import dev.semel.advice.internal.Advisor;
import dev.semel.advice.internal.UsageFigures;
import dev.semel.idempotency.OperationSetting;
import dev.semel.idempotency.OperationSettings;
import dev.semel.idempotency.spi.DecisionCounter;
import dev.semel.idempotency.spi.DecisionCounts;
import dev.semel.idempotency.spi.DuplicateAge;
import dev.semel.idempotency.spi.KeyCatalog;
import dev.semel.idempotency.spi.StatisticsStore.Scope;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Figures made by hand. For one thread. */
public final class Counted {
  public static final Operation PAYMENTS = new Operation("payments");

  private final Map<Scope, DecisionCounts> counts = new HashMap<>();
  private final Map<Operation, UsageFigures.Rule> rules = new HashMap<>();
  private Map<String, List<String>> hazards = Map.of();
  private Duration span = Duration.ofHours(24);
  private KeyCatalog.Usage usage = new KeyCatalog.Usage(0, 0, true);

  public Counted add(String tenant, Operation operation, DecisionCounter counter, long value) {
    return add(tenant, operation, new DecisionCounts(Map.of(counter, value)));
  }

  public Counted add(DecisionCounter counter, long value) {
    return add("default", PAYMENTS, counter, value);
  }

  /** So many duplicates came at this age. */
  public Counted add(DuplicateAge age, long value) {
    return add("default", PAYMENTS, new DecisionCounts(Map.of(), Map.of(age, value)));
  }

  public Counted add(String tenant, Operation operation, DecisionCounts more) {
    counts.merge(new Scope(new Tenant(tenant), operation), more, DecisionCounts::plus);
    return this;
  }

  public Counted set(OperationSetting setting, String value) {
    rules.put(
        PAYMENTS,
        new UsageFigures.Rule(new OperationSettings(Map.of(setting, value)), Duration.ZERO));
    return this;
  }

  public Counted seen(Duration retention) {
    rules.put(PAYMENTS, new UsageFigures.Rule(OperationSettings.NONE, retention));
    return this;
  }

  public Counted holding(long keys, long bytes) {
    usage = new KeyCatalog.Usage(keys, bytes, true);
    return this;
  }

  public Counted during(Duration time) {
    span = time;
    return this;
  }

  public Counted hazards(String broker, String sentence) {
    hazards = Map.of(broker, List.of(sentence));
    return this;
  }

  public UsageFigures figures() {
    return new UsageFigures(counts, new UsageFigures.Lately(counts, span), usage, rules, hazards);
  }

  public Recommendations counsel() {
    return new Advisor(AdviceCriteria.usual()).advise(figures());
  }

  /** The only one of this topic; fails where there is none. */
  public Advice only(AdviceTopic topic) {
    List<Advice> all =
        counsel().advice().stream().filter(advice -> advice.topic() == topic).toList();
    if (all.size() != 1) {
      throw new AssertionError("not one advice of " + topic + " but " + counsel());
    }
    return all.getFirst();
  }

  public List<AdviceTopic> topics() {
    return counsel().advice().stream().map(Advice::topic).toList();
  }
}

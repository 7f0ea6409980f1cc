package dev.semel.advice.internal;

import dev.semel.Operation;
import dev.semel.idempotency.OperationSettings;
import dev.semel.idempotency.spi.DecisionCounts;
import dev.semel.idempotency.spi.KeyCatalog;
import dev.semel.idempotency.spi.StatisticsStore.Scope;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What was counted and set.
 *
 * @param total since statistics were reset: at which ages duplicates arrive
 * @param lately what happened, in the last day at most
 * @param usage what the store holds
 * @param rules per operation; what is missing is not set, and not known
 * @param hazards what brokers say of their own set-up, by how they are called
 */
public record UsageFigures(
    Map<Scope, DecisionCounts> total,
    Lately lately,
    KeyCatalog.Usage usage,
    Map<Operation, Rule> rules,
    Map<String, List<String>> hazards) {
  public UsageFigures {
    total = Map.copyOf(total);
    rules = Map.copyOf(rules);
    hazards = Map.copyOf(hazards);
  }

  /**
   * What was counted last.
   *
   * @param span since when
   */
  public record Lately(Map<Scope, DecisionCounts> counts, Duration span) {
    public Lately {
      counts = Map.copyOf(counts);
    }
  }

  /**
   * What is known of an operation.
   *
   * @param settings by operators
   * @param seen the retention that a record was last seen with; zero: none was
   */
  public record Rule(OperationSettings settings, Duration seen) {
    public static final Rule UNKNOWN = new Rule(OperationSettings.NONE, Duration.ZERO);
  }

  Rule rule(Operation operation) {
    return rules.getOrDefault(operation, Rule.UNKNOWN);
  }
}

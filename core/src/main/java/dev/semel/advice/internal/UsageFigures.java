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
 * The counts and settings that advice is based on.
 *
 * @param total since the statistics were reset: the ages at which duplicates arrive
 * @param lately the counts of the last day at most
 * @param usage how much the store holds
 * @param rules per operation; a missing one is not set, and not known
 * @param hazards what brokers report about their set-up, by the broker's name
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
   * The latest counts.
   *
   * @param span the period that they cover
   */
  public record Lately(Map<Scope, DecisionCounts> counts, Duration span) {
    public Lately {
      counts = Map.copyOf(counts);
    }
  }

  /**
   * What is known of an operation's retention.
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

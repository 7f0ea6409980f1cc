package dev.semel.advice.internal;

import dev.semel.Operation;
import dev.semel.Tenant;
import dev.semel.advice.Advice;
import dev.semel.advice.AdviceCriteria;
import dev.semel.advice.AdviceTopic;
import dev.semel.advice.Recommendations;
import dev.semel.idempotency.spi.DecisionCounts;
import dev.semel.idempotency.spi.StatisticsStore.Scope;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Recommends settings from counts. Settings hold for all tenants of an operation, so their counts
 * are added up. Safe for use by many threads.
 */
public final class Advisor {
  private final AdviceCriteria demand;

  public Advisor(AdviceCriteria demand) {
    this.demand = demand;
  }

  /** The recommendations; the same figures always give the same ones. */
  public Recommendations advise(UsageFigures figures) {
    Map<Operation, DecisionCounts> total = byOperation(figures.total());
    Map<Operation, DecisionCounts> lately = byOperation(figures.lately().counts());
    UsageShares holdings = new UsageShares(figures.usage());
    total.forEach(
        (operation, counts) ->
            holdings.add(
                operation,
                lately.isEmpty() ? counts : lately.getOrDefault(operation, DecisionCounts.ZERO),
                EffectiveRetention.of(figures.rule(operation)).retention()));
    RecommendationsBuilder findings = new RecommendationsBuilder();
    RetentionAdvice retentions = new RetentionAdvice(demand);
    AdviceRules hints = new AdviceRules(figures.lately().span());
    total.forEach(
        (operation, counts) -> {
          UsageFigures.Rule rule = figures.rule(operation);
          DecisionCounts day = lately.getOrDefault(operation, DecisionCounts.ZERO);
          retentions.judge(operation, counts, EffectiveRetention.of(rule), holdings, findings);
          hints.judge(operation, day, rule.settings(), findings);
          AdviceRules.eagerSender(
              operation, byTenant(figures.lately().counts(), operation), findings);
        });
    addBrokers(figures.hazards(), findings);
    return findings.counsel();
  }

  /**
   * Only the advice about brokers' set-up.
   *
   * @param hazards by the broker's name
   */
  public Recommendations ofBrokers(Map<String, List<String>> hazards) {
    RecommendationsBuilder findings = new RecommendationsBuilder();
    addBrokers(hazards, findings);
    return findings.counsel();
  }

  private static void addBrokers(
      Map<String, List<String>> hazards, RecommendationsBuilder findings) {
    new TreeMap<>(hazards)
        .forEach(
            (broker, sentences) ->
                sentences.forEach(
                    sentence ->
                        findings.add(
                            new Advice(
                                Optional.empty(),
                                AdviceTopic.BROKER,
                                "look at " + broker,
                                "The broker is set up in a way that can cost the guarantee.",
                                Map.of(),
                                sentence,
                                0))));
  }

  private static Map<Operation, DecisionCounts> byOperation(Map<Scope, DecisionCounts> counts) {
    Map<Operation, DecisionCounts> sums = new TreeMap<>(Comparator.comparing(Operation::name));
    counts.forEach((scope, count) -> sums.merge(scope.operation(), count, DecisionCounts::plus));
    return sums;
  }

  private static Map<Tenant, DecisionCounts> byTenant(
      Map<Scope, DecisionCounts> counts, Operation operation) {
    Map<Tenant, DecisionCounts> sums = new TreeMap<>(Comparator.comparing(Tenant::name));
    counts.forEach(
        (scope, count) -> {
          if (scope.operation().equals(operation)) {
            sums.merge(scope.tenant(), count, DecisionCounts::plus);
          }
        });
    return sums;
  }
}

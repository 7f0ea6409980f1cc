package dev.semel.server.metrics;

import dev.semel.idempotency.spi.DecisionCounter;
import dev.semel.idempotency.spi.DecisionCounts;
import dev.semel.idempotency.spi.DuplicateAge;
import dev.semel.idempotency.spi.StatisticsStore.Scope;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Counts of executions, by operation. */
final class OperationMetrics {
  /** Limit of operations that are shown; the others are added up. */
  static final int MAX_OPERATIONS = 100;

  static final String OTHER = "other";

  private static final String OPERATION = "operation";
  private static final String OUTCOME = "outcome";
  private static final double MILLIS = 1000;

  private final PrometheusText out;

  private OperationMetrics(PrometheusText out) {
    this.out = out;
  }

  static void write(PrometheusText out, Map<Scope, DecisionCounts> scopes) {
    OperationMetrics metrics = new OperationMetrics(out);
    byOperation(scopes).forEach(metrics::write);
  }

  /** Adds up all tenants, because their number has no limit. */
  static Map<String, DecisionCounts> byOperation(Map<Scope, DecisionCounts> scopes) {
    Map<String, DecisionCounts> all = new HashMap<>();
    scopes.forEach(
        (scope, counts) -> all.merge(scope.operation().name(), counts, DecisionCounts::plus));
    Set<String> shown =
        all.entrySet().stream()
            .sorted(
                Comparator.comparingLong(
                        (Map.Entry<String, DecisionCounts> e) ->
                            e.getValue().get(DecisionCounter.REQUESTS))
                    .reversed()
                    .thenComparing(Map.Entry.comparingByKey()))
            .limit(MAX_OPERATIONS)
            .map(Map.Entry::getKey)
            .collect(Collectors.toSet());
    Map<String, DecisionCounts> limited = new TreeMap<>();
    all.forEach(
        (name, counts) ->
            limited.merge(shown.contains(name) ? name : OTHER, counts, DecisionCounts::plus));
    return limited;
  }

  private void write(String operation, DecisionCounts c) {
    long refused =
        c.get(DecisionCounter.REPLAYS)
            + c.get(DecisionCounter.IN_FLIGHT)
            + c.get(DecisionCounter.IN_DOUBT)
            + c.get(DecisionCounter.MISMATCHES);
    long ran = Math.max(0, c.get(DecisionCounter.REQUESTS) - refused);
    requests(operation, c, ran);
    duplicates(operation, c);
    one(
        "semel_hits_total",
        "Requests that got what was kept for their key",
        operation,
        c.get(DecisionCounter.REPLAYS));
    one("semel_misses_total", "Requests for whose key nothing was kept: they ran", operation, ran);
    outcome(
        "semel_processed_total",
        "Work that was run to its end",
        operation,
        "executed",
        c.get(DecisionCounter.EXECUTED));
    errors(operation, c);
    one(
        "semel_fenced_total",
        "Steps refused because the key was lost",
        operation,
        c.get(DecisionCounter.FENCED));
    one(
        "semel_outlived_total",
        "Work that ended after its record's retention",
        operation,
        c.get(DecisionCounter.OUTLIVED));
    one(
        "semel_collisions_total",
        "Different requests with the same short hash",
        operation,
        c.get(DecisionCounter.COLLISIONS));
    outcome(
        "semel_unguarded_total",
        "Work that ran without protection",
        operation,
        "any",
        c.get(DecisionCounter.UNGUARDED));
    outcome(
        "semel_reconciled_total",
        "What ran while the store was away, by verdict",
        operation,
        "ran_twice",
        c.get(DecisionCounter.RAN_TWICE));
    ages(operation, c);
  }

  private void requests(String operation, DecisionCounts c, long ran) {
    String name = "semel_requests_total";
    String help = "Requests, by how they were answered";
    outcome(name, help, operation, "granted", Math.max(0, ran - c.get(DecisionCounter.TAKEOVERS)));
    outcome(name, help, operation, "taken_over", c.get(DecisionCounter.TAKEOVERS));
    outcome(name, help, operation, "replayed", c.get(DecisionCounter.REPLAYS));
    outcome(name, help, operation, "in_flight", c.get(DecisionCounter.IN_FLIGHT));
    outcome(name, help, operation, "mismatch", c.get(DecisionCounter.MISMATCHES));
    outcome(name, help, operation, "in_doubt", c.get(DecisionCounter.IN_DOUBT));
  }

  private void duplicates(String operation, DecisionCounts c) {
    String name = "semel_duplicates_total";
    String help = "Requests that met an earlier one for their key";
    outcome(name, help, operation, "replayed", c.get(DecisionCounter.REPLAYS));
    outcome(name, help, operation, "in_flight", c.get(DecisionCounter.IN_FLIGHT));
    outcome(name, help, operation, "in_doubt", c.get(DecisionCounter.IN_DOUBT));
  }

  private void errors(String operation, DecisionCounts c) {
    String name = "semel_errors_total";
    String help = "Work that threw, store calls that failed";
    long store = c.get(DecisionCounter.STORE_ERRORS);
    outcome(name, help, operation, "work", Math.max(0, c.get(DecisionCounter.ERRORS) - store));
    outcome(name, help, operation, "store", store);
  }

  /** Has no sum, because only the step of each age is known. */
  private void ages(String operation, DecisionCounts c) {
    PrometheusText.Family family =
        out.family(
            "semel_duplicate_age_seconds",
            PrometheusText.Type.HISTOGRAM,
            "How old the first was when a duplicate came");
    long so = 0;
    for (DuplicateAge age : DuplicateAge.values()) {
      so += c.get(age);
      if (age != DuplicateAge.OLDER) {
        family.sample(
            "_bucket",
            (double) so,
            OPERATION,
            operation,
            "le",
            PrometheusText.number(age.atMost().toMillis() / MILLIS));
      }
    }
    family.sample("_bucket", (double) so, OPERATION, operation, "le", "+Inf");
    family.sample("_count", (double) so, OPERATION, operation);
  }

  private void one(String name, String help, String operation, long value) {
    out.counter(name, help).sample((double) value, OPERATION, operation);
  }

  private void outcome(String name, String help, String operation, String outcome, long value) {
    out.counter(name, help).sample((double) value, OPERATION, operation, OUTCOME, outcome);
  }
}

package dev.semel.admin;

import dev.semel.Operation;
import dev.semel.admin.StoreAdmin.VersionedSettings;
import dev.semel.idempotency.spi.DecisionCounter;
import dev.semel.idempotency.spi.DecisionCounts;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Joins the counts and the settings of each operation. */
final class OperationSummaries {
  private OperationSummaries() {}

  static List<OperationRecord> of(StoreAdmin admin) {
    Map<Operation, VersionedSettings> settings = admin.settings();
    Map<String, DecisionCounts> counts = new TreeMap<>();
    admin
        .counts()
        .forEach(
            (scope, count) -> counts.merge(scope.operation().name(), count, DecisionCounts::plus));
    settings
        .keySet()
        .forEach(operation -> counts.putIfAbsent(operation.name(), DecisionCounts.ZERO));
    return counts.entrySet().stream()
        .map(
            each -> {
              Operation operation = new Operation(each.getKey());
              return new OperationRecord(
                  operation,
                  each.getValue().get(DecisionCounter.REQUESTS),
                  each.getValue().get(DecisionCounter.DUPLICATES),
                  settings.getOrDefault(operation, VersionedSettings.NONE));
            })
        .toList();
  }
}

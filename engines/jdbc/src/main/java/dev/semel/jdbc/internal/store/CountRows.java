package dev.semel.jdbc.internal.store;

import dev.semel.Operation;
import dev.semel.Tenant;
import dev.semel.idempotency.spi.DecisionCounts;
import dev.semel.idempotency.spi.StatisticsStore.Scope;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Converts counts by scope to rows of tenant, operation, counter and value, and back. */
final class CountRows {
  private final Map<Scope, Map<String, Long>> fields = new HashMap<>();

  /** One counter of one scope. */
  record Row(String tenant, String operation, String counter, long value) {}

  static List<Row> of(Map<Scope, DecisionCounts> deltas) {
    List<Row> rows = new ArrayList<>();
    deltas.forEach(
        (scope, counts) ->
            counts
                .fields()
                .forEach(
                    (field, value) ->
                        rows.add(
                            new Row(
                                scope.tenant().name(), scope.operation().name(), field, value))));
    return rows;
  }

  /**
   * Adds the result's current row.
   *
   * @param first the column of the tenant; the others follow
   */
  void add(ResultSet rs, int first) throws SQLException {
    Scope scope =
        new Scope(new Tenant(rs.getString(first)), new Operation(rs.getString(first + 1)));
    fields
        .computeIfAbsent(scope, s -> new HashMap<>())
        .put(rs.getString(first + 2), rs.getLong(first + 3));
  }

  Map<Scope, DecisionCounts> counts() {
    Map<Scope, DecisionCounts> counts = new HashMap<>();
    fields.forEach((scope, values) -> counts.put(scope, DecisionCounts.ofFields(values)));
    return counts;
  }
}

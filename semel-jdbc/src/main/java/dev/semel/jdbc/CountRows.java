package dev.semel.jdbc;

import dev.semel.Operation;
import dev.semel.Tenant;
import dev.semel.idempotency.Counter;
import dev.semel.idempotency.Counts;
import dev.semel.idempotency.StatisticsStore.Scope;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Rows of {@code semel_statistics} in both directions. */
final class CountRows {
  static final String READ = "SELECT tenant, operation, counter, value FROM semel_statistics";
  static final String RESET = "DELETE FROM semel_statistics";

  /** One counter of one scope. */
  record Row(String tenant, String operation, String counter, long value) {
    private static final Comparator<Row> BY_KEY =
        Comparator.comparing(Row::tenant).thenComparing(Row::operation).thenComparing(Row::counter);
  }

  private static final Map<String, Counter> BY_FIELD = byField();

  private CountRows() {}

  private static Map<String, Counter> byField() {
    Map<String, Counter> byField = new HashMap<>();
    for (Counter counter : Counter.values()) {
      byField.put(counter.field(), counter);
    }
    return Map.copyOf(byField);
  }

  /** In one order, so that two writers which lock rows as they go can't wait for each other. */
  static List<Row> of(Map<Scope, Counts> deltas) {
    List<Row> rows = new ArrayList<>();
    deltas.forEach(
        (scope, counts) ->
            counts
                .values()
                .forEach(
                    (counter, value) ->
                        rows.add(
                            new Row(
                                scope.tenant().name(),
                                scope.operation().name(),
                                counter.field(),
                                value))));
    rows.sort(Row.BY_KEY);
    return rows;
  }

  /** Counters of a newer program are left out. */
  static Map<Scope, Counts> read(ResultSet rs) throws SQLException {
    Map<Scope, Map<Counter, Long>> sums = new HashMap<>();
    while (rs.next()) {
      Scope scope = new Scope(new Tenant(rs.getString(1)), new Operation(rs.getString(2)));
      long value = rs.getLong(4);
      Optional.ofNullable(BY_FIELD.get(rs.getString(3)))
          .ifPresent(
              counter ->
                  sums.computeIfAbsent(scope, s -> new EnumMap<>(Counter.class))
                      .put(counter, value));
    }
    Map<Scope, Counts> counts = new HashMap<>();
    sums.forEach((scope, values) -> counts.put(scope, new Counts(values)));
    return counts;
  }
}

package dev.semel.jdbc.internal.store;

import dev.semel.idempotency.spi.DecisionCounts;
import dev.semel.idempotency.spi.StatisticsStore;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Statistics on any engine: totals, and counts per minute since the epoch. */
public final class SqlStatistics implements StatisticsStore {
  private static final long MINUTE_MILLIS = Duration.ofMinutes(1).toMillis();

  private static final String READ =
      "SELECT tenant, operation, counter, value FROM semel_statistics";

  private static final String SLICES =
      """
      SELECT at_minute - at_minute % ?, tenant, operation, counter, sum(value) FROM semel_minute
      WHERE at_minute >= ? GROUP BY 1, 2, 3, 4""";

  private static final String FORGET = "DELETE FROM semel_minute WHERE at_minute < ?";
  private static final String REACHED = "SELECT number FROM semel_writer WHERE writer = ?";
  private static final String FIRST =
      "INSERT INTO semel_writer (number, at_minute, writer) VALUES (?, ?, ?)";
  private static final String NEXT =
      "UPDATE semel_writer SET number = ?, at_minute = ? WHERE writer = ?";
  private static final String FORGET_WRITERS = "DELETE FROM semel_writer WHERE at_minute < ?";
  private static final String RESET_TOTALS = "DELETE FROM semel_statistics";
  private static final String RESET_MINUTES = "DELETE FROM semel_minute";

  private final SqlEngine engine;
  private final String addToTotal;
  private final String addToMinute;

  public SqlStatistics(SqlEngine engine) {
    this.engine = engine;
    this.addToTotal =
        "INSERT INTO semel_statistics (tenant, operation, counter, value) VALUES (?, ?, ?, ?)"
            + engine.adding("semel_statistics", "tenant, operation, counter");
    this.addToMinute =
        "INSERT INTO semel_minute (tenant, operation, counter, value, at_minute)"
            + " VALUES (?, ?, ?, ?, ?)"
            + engine.adding("semel_minute", "at_minute, tenant, operation, counter");
  }

  @Override
  public void add(Batch batch) {
    List<CountRows.Row> rows = CountRows.of(batch.deltas());
    if (!rows.isEmpty()) {
      engine.write("the statistics were not added", db -> add(db, batch, rows));
    }
  }

  private int add(StatementCache db, Batch batch, List<CountRows.Row> rows) throws SQLException {
    TransactionTurn.STATISTICS.take(db);
    Optional<Long> reached = db.first(REACHED, rs -> rs.getLong(1), batch.writer());
    if (reached.isPresent() && batch.number() <= reached.get()) {
      return 0;
    }
    long minute = minute(db);
    db.update(reached.isPresent() ? NEXT : FIRST, batch.number(), minute, batch.writer());
    List<Object[]> totals = new ArrayList<>();
    List<Object[]> minutes = new ArrayList<>();
    for (CountRows.Row row : rows) {
      totals.add(new Object[] {row.tenant(), row.operation(), row.counter(), row.value()});
      minutes.add(new Object[] {row.tenant(), row.operation(), row.counter(), row.value(), minute});
    }
    db.updateAll(addToTotal, totals);
    db.updateAll(addToMinute, minutes);
    db.update(FORGET_WRITERS, minute - NUMBERS_KEPT.toMinutes());
    return db.update(FORGET, minute - TREND.toMinutes());
  }

  private long minute(StatementCache db) throws SQLException {
    return engine.nowMillis(db) / MINUTE_MILLIS;
  }

  @Override
  public Map<Scope, DecisionCounts> read() {
    return engine.read(
        "the statistics were not read",
        db -> {
          CountRows rows = new CountRows();
          try (ResultSet rs = db.query(READ)) {
            while (rs.next()) {
              rows.add(rs, 1);
            }
          }
          return rows.counts();
        });
  }

  @Override
  public List<Slice> trend(Duration step, Duration back) {
    return engine.read(
        "the trend was not read", db -> trend(db, step.toMinutes(), back.toMinutes()));
  }

  private List<Slice> trend(StatementCache db, long width, long back) throws SQLException {
    TreeMap<Long, CountRows> slices = new TreeMap<>();
    try (ResultSet rs = db.query(SLICES, width, minute(db) - back)) {
      while (rs.next()) {
        slices.computeIfAbsent(rs.getLong(1), m -> new CountRows()).add(rs, 2);
      }
    }
    List<Slice> trend = new ArrayList<>();
    slices.forEach(
        (minute, rows) ->
            trend.add(new Slice(Instant.ofEpochMilli(minute * MINUTE_MILLIS), rows.counts())));
    return trend;
  }

  @Override
  public void reset() {
    engine.write(
        "the statistics were not reset",
        db -> {
          TransactionTurn.STATISTICS.take(db);
          return db.update(RESET_TOTALS) + db.update(RESET_MINUTES);
        });
  }
}

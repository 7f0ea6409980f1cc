package dev.semel.jdbc.internal.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A connection that keeps its prepared statements. Their number is bounded by this package's SQL
 * texts. For one thread at a time.
 */
public final class StatementCache implements AutoCloseable {
  /** Maps the result's current row. */
  @FunctionalInterface
  public interface Mapper<R> {
    R map(ResultSet row) throws SQLException;
  }

  private final Connection connection;
  private final Map<String, PreparedStatement> prepared = new HashMap<>();

  public StatementCache(Connection connection) {
    this.connection = connection;
  }

  public Connection connection() {
    return connection;
  }

  /**
   * Runs an update.
   *
   * @return how many rows changed
   */
  public int update(String sql, Object... values) throws SQLException {
    PreparedStatement statement = prepared(sql);
    RecordRows.bind(statement, values);
    return statement.executeUpdate();
  }

  /** Runs an update for several rows in one batch. */
  public void updateAll(String sql, List<Object[]> rows) throws SQLException {
    PreparedStatement statement = prepared(sql);
    for (Object[] values : rows) {
      RecordRows.bind(statement, values);
      statement.addBatch();
    }
    statement.executeBatch();
  }

  /** The first row, if there is one. */
  public <R> Optional<R> first(String sql, Mapper<R> mapper, Object... values) throws SQLException {
    try (ResultSet rs = query(sql, values)) {
      return rs.next() ? Optional.of(mapper.map(rs)) : Optional.empty();
    }
  }

  /** Every row. */
  public <R> List<R> all(String sql, Mapper<R> mapper, Object... values) throws SQLException {
    List<R> rows = new ArrayList<>();
    try (ResultSet rs = query(sql, values)) {
      while (rs.next()) {
        rows.add(mapper.map(rs));
      }
    }
    return rows;
  }

  /**
   * Runs a query. The caller must close the result: an open one keeps the database from cleaning
   * up.
   */
  public ResultSet query(String sql, Object... values) throws SQLException {
    PreparedStatement statement = prepared(sql);
    RecordRows.bind(statement, values);
    return statement.executeQuery();
  }

  private PreparedStatement prepared(String sql) throws SQLException {
    PreparedStatement known = prepared.get(sql);
    if (known == null) {
      known = connection.prepareStatement(sql);
      prepared.put(sql, known);
    }
    return known;
  }

  /**
   * Closes the statements and the connection. A pool keeps its connections, so statements are
   * closed one by one.
   */
  @Override
  public void close() {
    closeStatements();
    close(connection);
  }

  /** Closes the statements but not the connection, which belongs to someone else. */
  public void closeStatements() {
    prepared.values().forEach(StatementCache::close);
    prepared.clear();
  }

  private static void close(AutoCloseable resource) {
    try {
      resource.close();
    } catch (Exception e) {
      // Nothing can be done: the end of the connection or process frees it.
    }
  }
}

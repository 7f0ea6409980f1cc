package dev.semel.jdbc.internal.outbox;

import dev.semel.InvalidInput;
import dev.semel.internal.Ids;
import dev.semel.jdbc.OutboxParts;
import dev.semel.jdbc.internal.store.SqlEngine;
import dev.semel.jdbc.internal.store.SqlFaults;
import dev.semel.jdbc.internal.store.StatementCache;
import dev.semel.transport.Message;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Finds messages that should exist but don't. One statement has one snapshot, so it sees a message
 * that is being published either in the queue or in the history. The query is the application's, so
 * it runs where nothing can be written: a mistake in it changes nothing.
 */
public final class OutboxAudit {
  private static final int COMPARED_AT_ONCE = 200;
  private static final int SQLITE_ERROR = 1;
  private static final int SQLITE_MISMATCH = 20;
  private static final int SQLITE_READONLY = 8;
  private static final int SQLITE_PRIMARY = 0xff;
  private static final String READ_ONLY_TRANSACTION = "25006";

  /** SQL state classes of wrong queries: parameters, cardinality, data, syntax. */
  private static final Set<String> WRONG_QUERY = Set.of("07", "21", "22", "42");

  private final SqlEngine engine;
  private final OutboxDialect sql;

  public OutboxAudit(OutboxParts parts) {
    this.engine = parts.engine();
    this.sql = parts.sql();
  }

  public List<String> missing(String query, int limit) {
    String id = sql.comparable("e.id");
    StringBuilder text =
        new StringBuilder("WITH expected (id) AS (\n%s\n) ".formatted(query))
            .append("SELECT DISTINCT %s FROM expected e WHERE e.id IS NOT NULL".formatted(id));
    for (OutboxTable table : OutboxTable.values()) {
      text.append(
          " AND NOT EXISTS (SELECT 1 FROM %s t WHERE t.id = %s)".formatted(table.table(), id));
    }
    String audit = text.append(" LIMIT ?").toString();
    return sql.looking(engine, db -> ids(db, audit, limit));
  }

  /** Audits names instead of ids. They are hashed here, because not every database can. */
  public List<String> missingNames(String query, int limit) {
    Set<String> missing = new LinkedHashSet<>();
    sql.looking(
        engine,
        db ->
            eachMissing(
                db,
                query,
                rs -> () -> Optional.ofNullable(rs.getString(1)).map(OutboxAudit::named),
                row -> {
                  if (missing.size() < limit) {
                    missing.add(row.value());
                  }
                }));
    return List.copyOf(missing);
  }

  public List<Message> missingMessages(String query, int limit) {
    Map<String, Message> missing = new LinkedHashMap<>();
    sql.looking(
        engine,
        db ->
            eachMissing(
                db,
                query,
                rs -> {
                  MessageRow row = MessageRow.of(rs);
                  return () -> row.message().map(found -> new Row<>(found.id(), found));
                },
                row -> {
                  if (missing.size() < limit) {
                    missing.putIfAbsent(row.id(), row.value());
                  }
                }));
    return List.copyOf(missing.values());
  }

  /** A value of the query, and its message's id. */
  private record Row<T>(String id, T value) {}

  private static Row<String> named(String name) {
    return new Row<>(Ids.named(name).toString(), name);
  }

  /** Reads the current row; empty: it stands for no message. */
  @FunctionalInterface
  private interface Reader<T> {
    Optional<Row<T>> read() throws SQLException;
  }

  @FunctionalInterface
  private interface Reading<T> {
    Reader<T> of(ResultSet rs) throws SQLException;
  }

  private <T> boolean eachMissing(
      StatementCache db, String query, Reading<T> reading, Consumer<Row<T>> missing)
      throws SQLException {
    List<Row<T>> batch = new ArrayList<>();
    try (PreparedStatement statement = db.connection().prepareStatement(query)) {
      statement.setFetchSize(COMPARED_AT_ONCE);
      try (ResultSet rs = statement.executeQuery()) {
        Reader<T> reader = reading.of(rs);
        while (rs.next()) {
          reader.read().ifPresent(batch::add);
          if (batch.size() == COMPARED_AT_ONCE) {
            compare(db, batch, missing);
          }
        }
      }
    } catch (SQLException e) {
      throw explained(e);
    }
    compare(db, batch, missing);
    return true;
  }

  /**
   * One statement for all tables, so that a message which is being published appears in one of
   * them.
   */
  private static <T> void compare(StatementCache db, List<Row<T>> batch, Consumer<Row<T>> missing)
      throws SQLException {
    if (batch.isEmpty()) {
      return;
    }
    String marks = String.join(", ", Collections.nCopies(batch.size(), "?"));
    String text =
        Arrays.stream(OutboxTable.values())
            .map(each -> "SELECT id FROM %s WHERE id IN (%s)".formatted(each.table(), marks))
            .collect(Collectors.joining(" UNION ALL "));
    Set<String> there = new HashSet<>();
    try (PreparedStatement statement = db.connection().prepareStatement(text)) {
      int parameter = 1;
      for (OutboxTable unused : OutboxTable.values()) {
        for (Row<T> row : batch) {
          statement.setString(parameter++, row.id());
        }
      }
      try (ResultSet rs = statement.executeQuery()) {
        while (rs.next()) {
          there.add(rs.getString(1));
        }
      }
    }
    batch.stream().filter(row -> !there.contains(row.id())).forEach(missing);
    batch.clear();
  }

  private static List<String> ids(StatementCache db, String query, int limit) throws SQLException {
    List<String> ids = new ArrayList<>();
    // Not cached as a prepared statement: the caller's texts may be many.
    try (PreparedStatement statement = db.connection().prepareStatement(query)) {
      statement.setInt(1, limit);
      try (ResultSet rs = statement.executeQuery()) {
        while (rs.next()) {
          ids.add(rs.getString(1));
        }
      }
    } catch (SQLException e) {
      throw explained(e);
    }
    return ids;
  }

  /** Reports a mistake in the query as the caller's; other errors are the database's. */
  private static SQLException explained(SQLException e) {
    if (wouldWrite(e)) {
      throw new InvalidInput(
          "the query writes (%s), and an audit only looks: select the ids"
              .formatted(e.getMessage()));
    }
    if (meansTheQuery(e)) {
      throw new InvalidInput(
          "the query can't be run (%s): it must select ids in one column, or what a rebuild is made of, without parameters"
              .formatted(e.getMessage()));
    }
    return e;
  }

  private static boolean wouldWrite(SQLException e) {
    String state = SqlFaults.state(e);
    return state.isEmpty()
        ? (e.getErrorCode() & SQLITE_PRIMARY) == SQLITE_READONLY
        : state.equals(READ_ONLY_TRANSACTION);
  }

  /** Whether the query is at fault. SQLite has no SQL states, and few codes. */
  private static boolean meansTheQuery(SQLException e) {
    String state = SqlFaults.state(e);
    return state.isEmpty()
        ? e.getErrorCode() == SQLITE_ERROR || e.getErrorCode() == SQLITE_MISMATCH
        : WRONG_QUERY.contains(state.substring(0, Math.min(2, state.length())));
  }
}

package dev.semel.jdbc;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Another program's connection to the file, like a shell's or a backup's. */
public final class RawSqlite implements AutoCloseable {
  private final Connection connection;

  public RawSqlite(Path file) throws SQLException {
    this.connection = DriverManager.getConnection("jdbc:sqlite:" + file);
  }

  public void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Runs several statements, as a shell reads them from a file. */
  public void script(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate(sql);
    }
  }

  public long number(String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rs = statement.executeQuery(sql)) {
      rs.next();
      return rs.getLong(1);
    }
  }

  /** Locks all writers out until it is released. */
  public void lock() throws SQLException {
    execute("BEGIN IMMEDIATE");
  }

  public void unlock() throws SQLException {
    execute("ROLLBACK");
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}

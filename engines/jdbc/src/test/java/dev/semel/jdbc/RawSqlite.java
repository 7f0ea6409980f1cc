package dev.semel.jdbc;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** A stranger's connection to the file, as a shell or a backup would have. */
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

  /** Several statements, as a shell would read them from a file. */
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

  /** Keeps every writer out until told otherwise. */
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

package dev.semel.jdbc.internal.sqlite;

import dev.semel.StoreException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Copies a database in use. {@code VACUUM INTO} reads in one transaction, so writers go on;
 * SQLite's backup interface would restart whenever another process writes.
 */
public final class SqliteCopy {
  private static final String OK = "ok";

  private final Path copy;

  public SqliteCopy(Path copy) {
    this.copy = copy.toAbsolutePath();
  }

  public void writeFrom(SqliteFile file) {
    if (Files.exists(copy)) {
      throw new StoreException("there is a file %s already".formatted(copy));
    }
    try (Connection connection = file.connect(false);
        PreparedStatement vacuum = connection.prepareStatement("VACUUM INTO ?")) {
      vacuum.setString(1, copy.toString());
      vacuum.execute();
    } catch (SQLException e) {
      throw file.fault("it can't be copied to " + copy, e);
    }
    // SQLite does not sync the copy to disk, because to SQLite it is an ordinary file.
    try (FileChannel channel = FileChannel.open(copy, StandardOpenOption.WRITE)) {
      channel.force(true);
    } catch (IOException e) {
      throw new StoreException("the copy %s may not be on the disk: %s".formatted(copy, e), e);
    }
    long unused = check();
  }

  public long check() {
    if (!Files.isRegularFile(copy)) {
      throw new StoreException("there is no file %s".formatted(copy));
    }
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + copy);
        Statement statement = connection.createStatement()) {
      String found = first(statement, "PRAGMA integrity_check");
      if (!found.equals(OK)) {
        throw new StoreException("the copy %s is damaged: %s".formatted(copy, found));
      }
      return Long.parseLong(first(statement, "SELECT count(*) FROM semel_idempotency"));
    } catch (SQLException e) {
      throw SqliteFault.of(copy, "the copy can't be read", e);
    }
  }

  private static String first(Statement statement, String sql) throws SQLException {
    try (ResultSet rs = statement.executeQuery(sql)) {
      return rs.next() ? String.valueOf(rs.getString(1)) : "";
    }
  }
}

package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.inbox.HandleResult;
import dev.semel.jdbc.Together.Beside;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

@SuppressWarnings("NullAway.Init") // before each test
final class SqliteJdbcInboxTest extends JdbcInboxContract {
  @TempDir Path folder;
  private InboxFixture fixture;

  @BeforeEach
  void open() throws SQLException {
    fixture = InboxFixture.on(folder);
  }

  @AfterEach
  void close() throws SQLException {
    fixture.close();
  }

  @Override
  InboxFixture fixture() {
    return fixture;
  }

  /** A connection like an application's: it waits for others, and begins transactions as writes. */
  @Override
  Connection connect() throws SQLException {
    Properties settings = new Properties();
    settings.setProperty("busy_timeout", "30000");
    settings.setProperty("transaction_mode", "IMMEDIATE");
    return DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("semel.db"), settings);
  }

  @Override
  List<String> deferred() {
    return List.of(
        "CREATE TABLE parent (id integer PRIMARY KEY)",
        "CREATE TABLE child (id integer REFERENCES parent DEFERRABLE INITIALLY DEFERRED)");
  }

  /**
   * The second transaction waits inside the driver, where nobody can see it; it only must not be
   * done.
   */
  @Override
  void awaitsTheFirst(Beside<HandleResult> second) {
    Together.until(() -> second.thread().getState() == Thread.State.RUNNABLE);
    assertThat(second.future()).isNotDone();
  }

  @Override
  List<String> dropKey() {
    return List.of(
        "CREATE TABLE copy AS SELECT * FROM semel_inbox",
        "DROP TABLE semel_inbox",
        "ALTER TABLE copy RENAME TO semel_inbox");
  }
}

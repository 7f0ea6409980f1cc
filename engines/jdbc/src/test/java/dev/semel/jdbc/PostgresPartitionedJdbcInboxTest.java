package dev.semel.jdbc;

import dev.semel.inbox.HandleResult;
import dev.semel.jdbc.Together.Beside;
import dev.semel.testservices.PostgresService;
import dev.semel.testservices.SharedServices;
import dev.semel.testservices.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

@Tag("service")
@ExtendWith(SharedServices.class)
@SuppressWarnings("NullAway.Init") // before each test
final class PostgresPartitionedJdbcInboxTest extends JdbcInboxContract {
  private static TestDatabase database;
  private InboxFixture fixture;

  @BeforeAll
  static void create(PostgresService postgres) {
    database = postgres.freshDatabase();
  }

  @BeforeEach
  void open() throws SQLException {
    fixture = InboxFixture.partitioned(database);
  }

  @AfterEach
  void close() throws SQLException {
    fixture.close();
  }

  @Override
  InboxFixture fixture() {
    return fixture;
  }

  @Override
  Connection connect() throws SQLException {
    return database.dataSource().getConnection();
  }

  @Override
  List<String> deferred() {
    return List.of(
        "CREATE TABLE parent (id integer PRIMARY KEY)",
        "CREATE TABLE child (id integer REFERENCES parent DEFERRABLE INITIALLY DEFERRED)");
  }

  @Override
  void awaitsTheFirst(Beside<HandleResult> second) {
    Together.until(
        () ->
            fixture.number(
                    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                        + " AND wait_event_type = 'Lock'")
                > 0);
  }

  @Override
  List<String> dropKey() {
    return List.of("ALTER TABLE semel_inbox DROP CONSTRAINT semel_inbox_pkey");
  }
}

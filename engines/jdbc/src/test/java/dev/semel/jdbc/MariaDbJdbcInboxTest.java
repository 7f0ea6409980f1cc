package dev.semel.jdbc;

import dev.semel.inbox.HandleResult;
import dev.semel.jdbc.Together.Beside;
import dev.semel.testservices.MariaDbDatabase;
import dev.semel.testservices.MariaDbService;
import dev.semel.testservices.SharedServices;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

@Tag("service")
@ExtendWith(SharedServices.class)
@SuppressWarnings("NullAway.Init") // before each test
final class MariaDbJdbcInboxTest extends JdbcInboxContract {
  private MariaDbDatabase database;
  private InboxFixture fixture;

  @BeforeEach
  void open(MariaDbService mariadb) throws SQLException {
    database = mariadb.freshDatabase();
    fixture = InboxFixture.on(database);
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

  /** None: MariaDB has no deferred constraints. */
  @Override
  List<String> deferred() {
    return List.of();
  }

  /** Not {@code innodb_trx}: a client that polls it gets the first answer each time. */
  @Override
  void awaitsTheFirst(Beside<HandleResult> second) {
    Together.until(
        () ->
            fixture.number(
                    "SELECT variable_value FROM information_schema.global_status"
                        + " WHERE variable_name = 'INNODB_ROW_LOCK_CURRENT_WAITS'")
                > 0);
  }

  @Override
  List<String> dropKey() {
    return List.of("ALTER TABLE semel_inbox DROP PRIMARY KEY");
  }
}

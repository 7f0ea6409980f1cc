package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.testservices.MariaDbDatabase;
import dev.semel.testservices.MariaDbService;
import dev.semel.testservices.PostgresService;
import dev.semel.testservices.SharedServices;
import dev.semel.testservices.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Servers whose configuration may lose data are reported. */
@Tag("service")
@ExtendWith(SharedServices.class)
class HazardsTest {
  @Test
  void postgresThatAnswersBeforeItWritesIsAHazard(PostgresService postgres) throws SQLException {
    TestDatabase database = postgres.freshDatabase();
    assertThat(PostgresStore.open(database.dataSource()).hazards()).isEmpty();

    execute(
        database.dataSource(),
        "ALTER DATABASE %s SET synchronous_commit = off".formatted(database.name()));

    assertThat(PostgresStore.open(database.dataSource()).hazards())
        .singleElement()
        .asString()
        .contains("synchronous_commit off", "set synchronous_commit to on");
  }

  @Test
  void mariaDbThatAnswersBeforeItWritesIsAHazard(MariaDbService mariadb) throws SQLException {
    MariaDbDatabase database = mariadb.freshDatabase();
    assertThat(MariaDbStore.open(database.dataSource()).hazards()).isEmpty();

    execute(database.dataSource(), "SET GLOBAL innodb_flush_log_at_trx_commit = 2");
    try {
      assertThat(MariaDbStore.open(database.dataSource()).hazards())
          .singleElement()
          .asString()
          .contains("innodb_flush_log_at_trx_commit = 2", "set it to 1");
    } finally {
      execute(database.dataSource(), "SET GLOBAL innodb_flush_log_at_trx_commit = 1");
    }
  }

  private static void execute(DataSource source, String sql) throws SQLException {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}

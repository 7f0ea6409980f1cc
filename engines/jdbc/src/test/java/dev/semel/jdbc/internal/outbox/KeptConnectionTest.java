package dev.semel.jdbc.internal.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.jdbc.internal.store.MariaDbFaults;
import dev.semel.jdbc.internal.store.PostgresFaults;
import dev.semel.jdbc.internal.store.SqlSessions;
import dev.semel.testservices.MariaDbService;
import dev.semel.testservices.PostgresService;
import dev.semel.testservices.SharedServices;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A pool logs a warning for an aborted connection, so a kept one is returned intact. */
@Tag("service")
@ExtendWith(SharedServices.class)
final class KeptConnectionTest {
  private static String ask(HikariDataSource pool, String sql) throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement();
        ResultSet found = statement.executeQuery(sql)) {
      found.next();
      return String.valueOf(found.getString(1));
    }
  }

  private static void givesBack(String url, OutboxDialect sql, String session, List<String> state)
      throws SQLException {
    try (HikariDataSource pool = new HikariDataSource()) {
      pool.setJdbcUrl(url);
      pool.setMaximumPoolSize(1);
      pool.setAutoCommit(false);
      pool.setTransactionIsolation("TRANSACTION_SERIALIZABLE");
      String first = ask(pool, session);
      for (String each : state) {
        for (boolean transactions : new boolean[] {true, false}) {
          String before = ask(pool, each);
          try (KeptConnection kept =
              new KeptConnection(new SqlSessions(pool, new PostgresFaults()), sql, transactions)) {
            String meanwhile =
                kept.run("it can't be asked", db -> db.first(each, row -> row.getString(1)))
                    .orElseThrow();
            assertThat(meanwhile).isNotEqualTo(before);
          }
          assertThat(ask(pool, each)).isEqualTo(before);
        }
      }
      assertThat(ask(pool, session)).isEqualTo(first);
    }
  }

  @Test
  void onPostgres(PostgresService service) throws SQLException {
    givesBack(
        service.freshDatabase().jdbcUrl(),
        new PostgresOutbox(new PostgresFaults()),
        "SELECT pg_backend_pid()",
        List.of("SHOW enable_seqscan", "SHOW enable_bitmapscan", "SHOW enable_sort"));
  }

  @Test
  void onMariaDb(MariaDbService service) throws SQLException {
    givesBack(
        service.freshDatabase().jdbcUrl(),
        new MariaDbOutbox(new MariaDbFaults()),
        "SELECT CONNECTION_ID()",
        List.of("SELECT @@transaction_isolation"));
  }
}

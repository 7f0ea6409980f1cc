package dev.semel.jdbc.internal.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.jdbc.internal.store.PostgresFaults;
import dev.semel.jdbc.internal.store.SqlSessions;
import dev.semel.testservices.PostgresService;
import dev.semel.testservices.SharedServices;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@Tag("service")
@ExtendWith(SharedServices.class)
final class PostgresNotifierTest {
  private static String ask(HikariDataSource pool, String sql) throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement();
        ResultSet found = statement.executeQuery(sql)) {
      return found.next() ? String.valueOf(found.getString(1)) : "";
    }
  }

  /** A pool logs a warning for an aborted connection, so this one is returned intact. */
  @Test
  void whenItIsClosedThePoolGetsItsConnectionBackWhichListensNoMore(PostgresService service)
      throws Exception {
    try (HikariDataSource pool = new HikariDataSource()) {
      pool.setJdbcUrl(service.freshDatabase().jdbcUrl());
      pool.setMaximumPoolSize(1);
      pool.setAutoCommit(false);
      String session = ask(pool, "SELECT pg_backend_pid()");
      AtomicInteger rings = new AtomicInteger();
      SqlSessions sessions = new SqlSessions(pool, new PostgresFaults());
      try (AutoCloseable bell = PostgresNotifier.listen(sessions, rings::incrementAndGet)) {
        assertThat(bell).isInstanceOf(PostgresNotifier.class);
        await().until(() -> rings.get() == 1); // earlier notifications are missed
      }
      assertThat(ask(pool, "SELECT pg_backend_pid()")).isEqualTo(session);
      assertThat(ask(pool, "SELECT pg_listening_channels()")).isEmpty();
    }
  }
}

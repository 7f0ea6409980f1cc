package dev.semel.benchmarks.growth;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.event.SemelListener;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.spi.Store;
import dev.semel.jdbc.PostgresStore;
import dev.semel.testservices.PostgresService;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** PostgreSQL with default settings, filled by one statement. */
final class FilledPostgres implements FilledStore {
  private final PostgresService service = PostgresService.start();
  private final HikariDataSource pool = new HikariDataSource();
  private final PostgresStore store;

  FilledPostgres() {
    pool.setJdbcUrl(service.freshDatabase().jdbcUrl());
    pool.setMaximumPoolSize(KeysGrowth.WORKERS);
    store = PostgresStore.open(pool);
    try (Idempotency idempotency = new Idempotency(store, SemelListener.NONE)) {
      FilledStore.execute(idempotency, FilledStore.key("template"));
    }
  }

  @Override
  public String name() {
    return "PostgreSQL";
  }

  @Override
  public void fill(long first, long end) throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      fillQuickly(statement, true);
      statement.execute(
          """
          INSERT INTO semel_idempotency (key, state, token, attempt, fingerprint, request_id,
            claimed_at, lease_until, expires_at, ended_at, retention, payload_type, payload)
          SELECT '%1$s' || md5(n::text)::uuid::text, state, gen_random_uuid(), attempt,
            fingerprint, request_id, claimed_at, lease_until, expires_at, ended_at, retention,
            payload_type, payload
          FROM generate_series(%2$d, %3$d) n, semel_idempotency t WHERE t.key = '%1$stemplate'"""
              .formatted(PREFIX, first, end - 1));
      statement.execute("VACUUM ANALYZE semel_idempotency");
      fillQuickly(statement, false);
      statement.execute("CHECKPOINT"); // otherwise the next measurement pays for it
    }
  }

  /**
   * Disables full-page writes: random keys touch every index page, which would be logged whole
   * after each checkpoint.
   */
  private static void fillQuickly(Statement statement, boolean quickly) throws SQLException {
    String verb = quickly ? "ALTER SYSTEM SET %s = '%s'" : "ALTER SYSTEM RESET %s";
    statement.execute(verb.formatted("max_wal_size", "32GB"));
    statement.execute(verb.formatted("checkpoint_timeout", "1h"));
    statement.execute(verb.formatted("full_page_writes", "off"));
    statement.execute("SELECT pg_reload_conf()");
  }

  @Override
  public Store store() {
    return store;
  }

  @Override
  public long bytes() throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rs =
            statement.executeQuery("SELECT pg_total_relation_size('semel_idempotency')")) {
      rs.next();
      return rs.getLong(1);
    }
  }

  @Override
  public long serviceNanos() {
    return Load.of(service.process()).getAsLong();
  }

  @Override
  public void close() {
    pool.close();
    service.close();
  }
}

package dev.semel.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.job.spi.JobQueue;
import dev.semel.tck.ManualClock;
import dev.semel.tck.jobs.JobsUnderTest;
import dev.semel.testservices.MariaDbDatabase;
import dev.semel.testservices.TestDatabase;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.Consumer;

/** Queues in a separate database, and another connection that sees what was committed. */
final class JobsFixture implements JobsUnderTest, AutoCloseable {
  private final String jdbcUrl;
  private final JdbcJobs jobs;
  private final Consumer<Duration> clock;
  private final Runnable rest;

  private JobsFixture(String jdbcUrl, JdbcJobs jobs, Consumer<Duration> clock, Runnable rest) {
    this.jdbcUrl = jdbcUrl;
    this.jobs = jobs;
    this.clock = clock;
    this.rest = rest;
  }

  static JobsFixture on(TestDatabase database) {
    HikariDataSource pool = ServerUnderTest.pool(database.jdbcUrl(), 8);
    return new JobsFixture(
        database.jdbcUrl(),
        JdbcJobs.on(PostgresStore.open(pool)),
        d -> ServerUnderTest.elapse(pool, d),
        pool::close);
  }

  static JobsFixture on(MariaDbDatabase database) {
    HikariDataSource pool = ServerUnderTest.pool(database.jdbcUrl(), 8);
    return new JobsFixture(
        database.jdbcUrl(),
        JdbcJobs.on(MariaDbStore.open(pool)),
        d -> ServerUnderTest.elapse(pool, d),
        pool::close);
  }

  static JobsFixture on(Path folder) {
    Path file = folder.resolve("semel.db");
    ManualClock clock = new ManualClock();
    SqliteStore store = SqliteStore.open(file, clock);
    return new JobsFixture("jdbc:sqlite:" + file, JdbcJobs.on(store), clock::advance, store::close);
  }

  @Override
  public JobQueue jobs() {
    return jobs;
  }

  JdbcJobs sqlJobs() {
    return jobs;
  }

  boolean locksRows() {
    return !jdbcUrl.startsWith("jdbc:sqlite:");
  }

  Connection connect() throws SQLException {
    return DriverManager.getConnection(jdbcUrl);
  }

  void execute(String sql) throws SQLException {
    new RawSql(this::connect).execute(sql);
  }

  long number(String sql) throws SQLException {
    return new RawSql(this::connect).number(sql);
  }

  @Override
  public void elapse(Duration d) {
    clock.accept(d);
  }

  @Override
  public void close() {
    jobs.close();
    rest.run();
  }
}

package dev.semel.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.junit.proof.ProofRun;
import dev.semel.proof.fault.KillHarness;
import dev.semel.proof.fault.KillHarness.Kills;
import dev.semel.testservices.PostgresService;
import dev.semel.testservices.SharedServices;
import dev.semel.testservices.TestDatabase;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Processes on one PostgreSQL are killed at random; no effect goes unaccounted for. */
@ExtendWith(SharedServices.class)
class PostgresKillTest {
  @TempDir Path folder;

  /** One child. */
  static final class Worker {
    private Worker() {}

    public static void main(String[] arguments) {
      try (HikariDataSource pool = new HikariDataSource()) {
        pool.setJdbcUrl(arguments[0]);
        pool.setMaximumPoolSize(2);
        PostgresStore store = PostgresStore.open(pool);
        KillHarness.hammer(store, arguments);
      }
    }
  }

  @Test
  @Tag("service")
  void everySecondEffectIsAReportedTakeover(PostgresService service) {
    run(service, Kills.FEW);
  }

  @Test
  @Tag("proof")
  void everySecondEffectIsAReportedTakeoverOverManyKills(
      PostgresService service, TestReporter report) {
    Kills many = Kills.many(ProofRun.volume(60, 600), ProofRun.seed());
    report.publishEntry(many.figures());
    run(service, many);
  }

  private void run(PostgresService service, Kills kills) {
    TestDatabase database = service.freshDatabase();
    PostgresStore store = PostgresStore.open(database.dataSource());
    KillHarness.killInLeaseMode(
        Worker.class, database.jdbcUrl(), store.idempotency(), folder, kills);
  }
}

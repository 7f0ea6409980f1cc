package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.event.Event.Reconciled.Verdict;
import dev.semel.idempotency.OnOutage;
import dev.semel.proof.fault.OutageHarness;
import dev.semel.proof.fault.OutageHarness.Account;
import dev.semel.testservices.PostgresService;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;

/** PostgreSQL is killed under load and comes back after ten seconds. */
@Tag("proof")
class PostgresOutageTest {
  private static final Duration LENGTH = Duration.ofSeconds(10);
  private static final int KEYS = 20_000;
  private static final int POOL = 6;

  @TempDir Path folder;

  private TestReporter report;

  @BeforeEach
  void reportTo(TestReporter report) {
    this.report = report;
  }

  @Test
  void nothingRunsTwiceIfItFailsClosed() {
    Account account = killed(OnOutage.FAIL_CLOSED);
    assertThat(account.refused()).isPositive();
    assertThat(account.ranTwice()).isEmpty();
  }

  @Test
  void whatRanTwiceIsNamed() {
    Account account = killed(OnOutage.WARN_AND_CONTINUE);
    assertThat(account.ranTwice()).isNotEmpty();
    assertThat(account.reported(Verdict.RAN_TWICE)).isEqualTo(account.ranTwice());
  }

  private Account killed(OnOutage policy) {
    try (PostgresService service = PostgresService.start();
        HikariDataSource first = new HikariDataSource();
        HikariDataSource second = new HikariDataSource()) {
      String url = service.freshDatabase().jdbcUrl() + "&socketTimeout=2&connectTimeout=1";
      for (HikariDataSource pool : List.of(first, second)) {
        pool.setJdbcUrl(url);
        pool.setMaximumPoolSize(POOL);
        pool.setConnectionTimeout(Duration.ofSeconds(1).toMillis());
      }
      Account account =
          OutageHarness.run(
              List.of(PostgresStore.open(first), PostgresStore.open(second)),
              policy,
              KEYS,
              folder.resolve("journals"),
              untilFelt -> {
                service.kill();
                pass();
                untilFelt.run();
                service.restart();
              });
      System.out.printf(
          "outage of PostgreSQL, %s: asked %d, refused %d, took effect %d, ran twice %d%n",
          policy, account.asked(), account.refused(), account.effects(), account.ranTwice().size());
      report.publishEntry(Map.of("outages", "1", "keys", "" + KEYS, "calls", "" + account.asked()));
      return account;
    }
  }

  /** Sleeps, because the length of the outage is part of the experiment. */
  private static void pass() {
    long end = System.nanoTime() + LENGTH.toNanos();
    while (System.nanoTime() < end) {
      LockSupport.parkNanos(end - System.nanoTime());
    }
  }
}

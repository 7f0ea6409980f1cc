package dev.semel.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Key;
import dev.semel.event.SemelListener;
import dev.semel.idempotency.Execution;
import dev.semel.idempotency.GuardedExecutor;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.Maintenance;
import dev.semel.job.Job;
import dev.semel.job.spi.JobQueue;
import dev.semel.junit.proof.ProofRun;
import dev.semel.proof.fault.EffectLog;
import dev.semel.proof.fault.JobKillHarness;
import dev.semel.proof.fault.JobKillHarness.Plan;
import dev.semel.proof.fault.JobWorld;
import dev.semel.proof.fault.PlainLedger;
import dev.semel.testservices.MariaDbService;
import dev.semel.testservices.PostgresService;
import dev.semel.testservices.SharedServices;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills and freezes workers of SQL queues; the number of effects depends on where the ledger is.
 */
@ExtendWith(SharedServices.class)
class JobsKillTest {
  private static final int POOL = 12;

  @TempDir Path folder;

  private TestReporter report;

  @BeforeEach
  void reportTo(TestReporter report) {
    this.report = report;
  }

  /** How a ledger in the same database records a line. */
  private enum Ledger {
    /** In the execution's transaction. */
    SAME_TRANSACTION,
    /** On a separate connection, once per effect key, like an outside system. */
    UNIQUE
  }

  /** A ledger in the queue's database. */
  private static final class Bank implements JobWorld {
    private static final String INSERT =
        "INSERT INTO ledger (what, attempt, name, effect, told) VALUES (?, ?, ?, ?, 1)";

    /** The statement for PostgreSQL. */
    private static final String INSERT_ONCE =
        INSERT + " ON CONFLICT (effect) DO UPDATE SET told = ledger.told + 1";

    private final HikariDataSource pool = new HikariDataSource();
    private final Ledger ledger;
    private final Idempotency idempotency;
    private final GuardedExecutor once;
    private final JobQueue queue;

    /** Connects by a JDBC URL. */
    Bank(String url, Ledger ledger) {
      this.ledger = ledger;
      pool.setJdbcUrl(url);
      pool.setMaximumPoolSize(POOL);
      if (url.startsWith("jdbc:mariadb:")) {
        MariaDbStore store = MariaDbStore.open(pool);
        idempotency = new Idempotency(store, SemelListener.NONE);
        queue = JdbcJobs.on(store);
        once = TransactionalIdempotency.on(store, idempotency.maintenance()).asOnce();
      } else {
        PostgresStore store = PostgresStore.open(pool);
        idempotency = new Idempotency(store, SemelListener.NONE);
        queue = JdbcJobs.on(store);
        once =
            ledger == Ledger.UNIQUE
                ? idempotency
                : TransactionalIdempotency.on(store, idempotency.maintenance()).asOnce();
      }
    }

    void create() throws SQLException {
      try (Connection connection = pool.getConnection();
          Statement statement = connection.createStatement()) {
        statement.execute(
            "CREATE TABLE ledger (what varchar(20), attempt int, name varchar(300),"
                + " effect varchar(300)%s, told int)"
                    .formatted(ledger == Ledger.UNIQUE ? " UNIQUE" : ""));
      }
    }

    @Override
    public JobQueue queue() {
      return queue;
    }

    @Override
    public Maintenance maintenance() {
      return idempotency.maintenance();
    }

    @Override
    public GuardedExecutor once() {
      return once;
    }

    @Override
    public void effect(Job job, Execution execution) throws SQLException {
      if (ledger == Ledger.UNIQUE) {
        try (Connection connection = pool.getConnection()) {
          write(connection, INSERT_ONCE, job, execution);
        }
      } else {
        write(TransactionalIdempotency.connection(execution), INSERT, job, execution);
      }
    }

    private static void write(Connection connection, String sql, Job job, Execution execution)
        throws SQLException {
      EffectLog.Line line = JobWorld.line(job, execution);
      try (PreparedStatement insert = connection.prepareStatement(sql)) {
        insert.setString(1, line.what());
        insert.setInt(2, line.attempt());
        insert.setString(3, line.key().text());
        insert.setString(4, execution.effectKey());
        insert.executeUpdate();
      }
    }

    @Override
    public List<EffectLog.Line> effects() {
      List<EffectLog.Line> lines = new ArrayList<>();
      try (Connection connection = pool.getConnection();
          Statement statement = connection.createStatement();
          ResultSet rows = statement.executeQuery("SELECT what, attempt, name FROM ledger")) {
        while (rows.next()) {
          lines.add(
              new EffectLog.Line(rows.getString(1), Key.parse(rows.getString(3)), rows.getInt(2)));
        }
        return lines;
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }

    private long number(String sql) {
      try (Connection connection = pool.getConnection();
          Statement statement = connection.createStatement();
          ResultSet rows = statement.executeQuery(sql)) {
        rows.next();
        return rows.getLong(1);
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public long progress() {
      return number("SELECT count(*) FROM ledger");
    }

    @Override
    public String remark() {
      return ledger == Ledger.UNIQUE
          ? ", because %d repetitions found their effect key there"
              .formatted(number("SELECT coalesce(sum(told - 1), 0) FROM ledger"))
          : "";
    }

    @Override
    public void close() {
      idempotency.close();
      pool.close();
    }
  }

  /** One child with a ledger in the queue's database. */
  static final class BankWorker {
    private BankWorker() {}

    public static void main(String[] arguments) throws IOException {
      JobKillHarness.work(new Bank(arguments[0], Ledger.valueOf(arguments[1])));
    }
  }

  /** One child on SQLite, with a ledger elsewhere. */
  static final class SqliteWorker {
    private SqliteWorker() {}

    public static void main(String[] arguments) throws IOException {
      try (SqliteStore store = SqliteStore.open(Path.of(arguments[0]), InstantSource.system())) {
        JobKillHarness.work(new PlainLedger(JdbcJobs.on(store), store, Path.of(arguments[1])));
      }
    }
  }

  private void run(Plan plan, String url, Ledger ledger) throws SQLException {
    report.publishEntry(plan.figures());
    try (Bank bank = new Bank(url, ledger)) {
      bank.create();
      JobKillHarness.run(plan, bank, BankWorker.class, folder, true, url, ledger.name());
    }
  }

  @Test
  @Tag("service")
  void inTheSameTransactionEachKeyHasOneEffect(PostgresService service) throws SQLException {
    run(Plan.GATE, service.freshDatabase().jdbcUrl(), Ledger.SAME_TRANSACTION);
  }

  @Test
  @Tag("proof")
  void inTheSameTransactionEachKeyOfManyHasOneEffect(PostgresService service) throws SQLException {
    run(
        Plan.proof(ProofRun.volume(100_000, 1_000_000), ProofRun.seed()),
        service.freshDatabase().jdbcUrl(),
        Ledger.SAME_TRANSACTION);
  }

  @Test
  @Tag("proof")
  void inALedgerThatKnowsEffectKeysEachKeyHasOneEffect(PostgresService service)
      throws SQLException {
    run(Plan.few(ProofRun.seed()), service.freshDatabase().jdbcUrl(), Ledger.UNIQUE);
  }

  @Test
  @Tag("proof")
  void inTheSameTransactionOfMariaDbEachKeyHasOneEffect(MariaDbService service)
      throws SQLException {
    run(Plan.few(ProofRun.seed()), service.freshDatabase().jdbcUrl(), Ledger.SAME_TRANSACTION);
  }

  @Test
  @Tag("proof")
  void onSqliteEverySecondEffectIsAReportedTakeover() {
    String file = folder.resolve("semel.db").toString();
    String ledger = folder.resolve("ledger").toString();
    try (SqliteStore store = SqliteStore.open(Path.of(file), InstantSource.system());
        PlainLedger world = new PlainLedger(JdbcJobs.on(store), store, Path.of(ledger))) {
      report.publishEntry(Plan.GATE.figures());
      JobKillHarness.run(Plan.GATE, world, SqliteWorker.class, folder, false, file, ledger);
    }
  }
}

package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.StoreException;
import dev.semel.Token;
import dev.semel.event.SemelListener;
import dev.semel.idempotency.ClaimResult;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.Outcome;
import dev.semel.idempotency.spi.Store;
import dev.semel.jdbc.internal.store.MariaDbDialect;
import dev.semel.jdbc.internal.store.PostgresDialect;
import dev.semel.jdbc.internal.store.ServerStore;
import dev.semel.jdbc.internal.store.SqlDialect;
import dev.semel.jdbc.internal.store.SqlSchema;
import dev.semel.job.Job;
import dev.semel.testservices.MariaDbService;
import dev.semel.testservices.PostgresService;
import dev.semel.testservices.SharedServices;
import dev.semel.transport.Message;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Tables that a newer program has changed while an old one still runs. */
@ExtendWith(SharedServices.class)
final class NewerTablesTest {
  /** The stores of one program on one database. */
  private record Program(Store store, JdbcOutbox outbox, JdbcInbox inbox, JdbcJobs jobs)
      implements AutoCloseable {
    @Override
    public void close() {
      outbox.close();
      inbox.close();
      jobs.close();
      store.close();
    }
  }

  /** Adds a column to every table that this program does not know, with a default. */
  private static List<String> added(Connection connection, SqlSchema schema, String tables)
      throws SQLException {
    Tables.create(schema, connection);
    List<String> step = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rs = statement.executeQuery(tables)) {
      while (rs.next()) {
        step.add(
            "ALTER TABLE " + rs.getString(1) + " ADD COLUMN since_later varchar(8) DEFAULT 'x'");
      }
    }
    assertThat(step).hasSizeGreaterThan(10);
    step.add("CREATE TABLE semel_later (id integer)");
    return step;
  }

  private static void goesOn(
      SqlSchema schema, String url, String tables, Function<SchemaSetup, Program> opening)
      throws Exception {
    try (Connection connection = DriverManager.getConnection(url)) {
      List<String> step = added(connection, schema, tables);
      try (Program before = opening.apply(SchemaSetup.CHECK)) {
        Tables.after(schema, step, schema.newest()).upgrade(connection);
        works(before, "running");
      }
      for (SchemaSetup setup : SchemaSetup.values()) {
        try (Program started = opening.apply(setup)) {
          works(started, setup.name());
          assertThat(started.store().setUp())
              .singleElement()
              .asString()
              .contains("version " + (schema.newest() + 1), "update it too");
        }
      }
      try (Statement statement = connection.createStatement()) {
        statement.execute("DELETE FROM semel_schema WHERE version = " + schema.newest());
      }
      for (SchemaSetup setup : SchemaSetup.values()) {
        assertThatThrownBy(() -> opening.apply(setup).close())
            .isInstanceOf(StoreException.class)
            .hasMessageContaining("need a program that knows version " + (schema.newest() + 1))
            .hasMessageContaining("update the program");
      }
    }
  }

  private static void works(Program program, String name) throws Exception {
    Key key = Key.of("payments", name);
    try (Idempotency once = new Idempotency(program.store(), SemelListener.NONE)) {
      for (int i = 0; i < 2; i++) {
        Outcome<String> outcome =
            once.execute(key, Fingerprint.of("{}"), Codec.utf8(), execution -> "done");
        assertThat(outcome).isInstanceOf(i == 0 ? Outcome.Executed.class : Outcome.Replayed.class);
      }
    }
    program.outbox().executeWithOutbox(connection -> true, Message.of("orders", name));
    assertThat(program.outbox().operations().status().pending()).isPositive();
    assertThat(program.inbox().operations().status().consumers()).isEmpty();
    program.jobs().enqueue(Job.of(Key.of("mail", name), "x"));
    assertThat(program.jobs().reserve(new Operation("mail"), 10, Duration.ofMinutes(1))).hasSize(1);
    assertThat(program.store().catalog().list("", "", 10).entries()).isNotEmpty();
  }

  @Test
  void areUsedOnSqlite(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("semel.db");
    goesOn(
        SqlSchema.SQLITE,
        "jdbc:sqlite:" + file,
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'semel%'"
            + " AND name <> 'semel_schema'",
        setup -> {
          SqliteStore store = SqliteStore.open(file, InstantSource.system(), setup);
          return new Program(
              store,
              JdbcOutbox.on(store, OutboxSettings.defaults()),
              JdbcInbox.on(store),
              JdbcJobs.on(store));
        });
  }

  @Test
  @Tag("service")
  void areUsedOnPostgres(PostgresService postgres) throws Exception {
    var database = postgres.freshDatabase();
    goesOn(
        SqlSchema.POSTGRESQL,
        database.jdbcUrl(),
        "SELECT relname FROM pg_class WHERE relkind = 'r' AND relname LIKE 'semel%'",
        setup -> {
          PostgresStore store = PostgresStore.open(database.dataSource(), setup);
          return new Program(
              store,
              JdbcOutbox.on(store, OutboxSettings.defaults()),
              JdbcInbox.on(store),
              JdbcJobs.on(store));
        });
  }

  @Test
  @Tag("service")
  void areUsedOnMariaDb(MariaDbService mariadb) throws Exception {
    var database = mariadb.freshDatabase();
    goesOn(
        SqlSchema.MARIADB,
        database.jdbcUrl(),
        "SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE()"
            + " AND table_type = 'BASE TABLE'",
        setup -> {
          MariaDbStore store = MariaDbStore.open(database.dataSource(), setup);
          return new Program(
              store,
              JdbcOutbox.on(store, OutboxSettings.defaults()),
              JdbcInbox.on(store),
              JdbcJobs.on(store));
        });
  }

  @Test
  @Tag("service")
  void areMadeBesideATransactionThatStaysOpenOnPostgres(PostgresService postgres) throws Exception {
    isMadeBeside(new PostgresDialect(), postgres.freshDatabase().jdbcUrl());
  }

  @Test
  @Tag("service")
  void areMadeBesideATransactionThatStaysOpenOnMariaDb(MariaDbService mariadb) throws Exception {
    isMadeBeside(new MariaDbDialect(), mariadb.freshDatabase().jdbcUrl());
  }

  /** A schema change that waits must not make all other statements wait for it. */
  private static void isMadeBeside(SqlDialect sql, String url) throws Exception {
    SqlSchema after =
        Tables.after(
            sql.schema(),
            List.of("ALTER TABLE semel_idempotency ADD COLUMN since_later varchar(8)"),
            sql.schema().newest());
    try (HikariDataSource pool = ServerUnderTest.pool(url, 4);
        Store store = ServerStore.open(pool, sql, SchemaSetup.CREATE);
        Connection open = DriverManager.getConnection(url);
        Statement reading = open.createStatement()) {
      open.setAutoCommit(false);
      reading.executeQuery("SELECT count(*) FROM semel_idempotency").close();
      SqlDialect newer = UpgradeUnderLoadTest.withSchema(sql, after);
      Together.Beside<String> starting =
          Together.beside(() -> ServerStore.open(pool, newer, SchemaSetup.CREATE).describe());
      long end = System.nanoTime() + SqlDialect.TABLE_WAIT.multipliedBy(3).toNanos();
      while (System.nanoTime() < end) { // the change was tried a few times meanwhile
        assertThat(store.idempotency().claim(Claims.of(Claims.freshKey(), Token.draw())))
            .isInstanceOf(ClaimResult.Granted.class);
      }
      assertThat(starting.future().isDone()).isFalse();
      open.commit();
      starting.result();
      assertThat(store.setUp().get(0)).contains("version " + after.newest());
    }
  }
}

package dev.semel.jdbc.internal.store;

import dev.semel.internal.PrintableText;
import dev.semel.jdbc.SchemaSetup;
import dev.semel.jdbc.internal.sqlite.GroupCommit;
import dev.semel.loop.internal.Backoff;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

/**
 * Connections to a server, one per step. No error leaves a transaction open, and a step that hit a
 * conflict in the database runs again.
 */
public final class SqlSessions {
  /** How often a step is repeated after conflicts. */
  public static final int MAX_CONFLICTS = 10;

  public static final Duration FIRST_PAUSE = Duration.ofMillis(2);
  public static final Duration LONGEST_PAUSE = Duration.ofMillis(200);
  private static final Duration FIRST_TABLES_PAUSE = Duration.ofMillis(250);

  private final DataSource source;
  private final SqlFaults faults;

  public SqlSessions(DataSource source, SqlFaults faults) {
    this.source = source;
    this.faults = faults;
  }

  public SqlFaults faults() {
    return faults;
  }

  public Connection connect() throws SQLException {
    return source.getConnection();
  }

  /** Runs each statement of the step with automatic commits; the step may run more than once. */
  public <R> R run(String what, GroupCommit.Step<R> step) {
    return repeat(what, db -> withAutoCommit(db, true, step));
  }

  /** Runs the step in one transaction, which may run more than once. */
  public <R> R transact(String what, GroupCommit.Step<R> step) {
    return repeat(what, db -> withAutoCommit(db, false, d -> committed(d, step)));
  }

  /** Repeats after conflicts; the first try's time does not count towards the limit. */
  private <R> R repeat(String what, GroupCommit.Step<R> step) {
    Backoff backoff = new Backoff(FIRST_PAUSE, LONGEST_PAUSE);
    long deadline = 0;
    for (int conflicts = 0; ; conflicts++) {
      try (StatementCache db = new StatementCache(connect())) {
        return step.run(db);
      } catch (SQLException e) {
        if (conflicts == 0) {
          deadline = System.nanoTime() + LONGEST_PAUSE.multipliedBy(MAX_CONFLICTS).toNanos();
        }
        if (!faults.isPassing(e) || conflicts == MAX_CONFLICTS || !backoff.pauseUntil(deadline)) {
          throw faults.of(what, e);
        }
      }
    }
  }

  private static <R> R withAutoCommit(StatementCache db, boolean wanted, GroupCommit.Step<R> step)
      throws SQLException {
    Connection connection = db.connection();
    boolean automatic = connection.getAutoCommit();
    if (automatic != wanted) {
      connection.setAutoCommit(wanted);
    }
    try {
      return step.run(db);
    } finally {
      if (automatic != wanted) {
        connection.setAutoCommit(automatic); // back to the pool's setting
      }
    }
  }

  private static <R> R committed(StatementCache db, GroupCommit.Step<R> step) throws SQLException {
    boolean done = false;
    try {
      R result = step.run(db);
      db.connection().commit();
      done = true;
      return result;
    } finally {
      if (!done) {
        db.connection().rollback();
      }
    }
  }

  /** The server and database, without user, password or options. */
  String describe() {
    String url = run("the database can't be asked", db -> db.connection().getMetaData().getURL());
    String address = url.replaceFirst("^jdbc:", "").replaceFirst("[?;].*", "");
    return PrintableText.safe(address.replaceFirst("//[^/]*@", "//"));
  }

  /** Creates the tables, or checks that they exist. */
  void prepare(SqlDialect sql, SchemaSetup setup) {
    try (StatementCache db = new StatementCache(connect())) {
      // Automatic commits, so that every read sees what happened before the lock was taken.
      withAutoCommit(db, true, d -> prepare(d, sql, setup));
    } catch (SQLException e) {
      throw faults.of("the database can't be opened", e);
    }
  }

  private static SchemaSetup prepare(StatementCache db, SqlDialect sql, SchemaSetup setup)
      throws SQLException {
    sql.check(db);
    switch (setup) {
      case CHECK -> sql.schema().require(db.connection());
      case CREATE -> {
        if (!sql.schema().isCurrent(db.connection())) {
          withAutoCommit(db, false, d -> createTables(d, sql));
        }
      }
    }
    return setup;
  }

  /**
   * Tries several times with short waits: while a schema change waits, all later statements wait
   * too.
   */
  private static boolean createTables(StatementCache db, SqlDialect sql) throws SQLException {
    Backoff backoff = new Backoff(FIRST_TABLES_PAUSE, SqlDialect.TABLE_WAIT);
    long deadline = System.nanoTime() + SqlDialect.TABLES_WITHIN.toNanos();
    while (true) {
      try {
        return tryToCreateTables(db, sql);
      } catch (SQLException e) {
        if (!sql.faults().isLocked(e) || !backoff.pauseUntil(deadline)) {
          throw e;
        }
      }
    }
  }

  /** Takes a lock, so that processes which start together create the tables one after another. */
  private static boolean tryToCreateTables(StatementCache db, SqlDialect sql) throws SQLException {
    try {
      return committed(
          db,
          d -> {
            sql.lockTables(d);
            sql.schema().upgrade(d.connection());
            return true;
          });
    } finally {
      sql.unlockTables(db);
    }
  }
}

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
 * Connections to a server, each for one step: no error leaves a transaction behind, and a step that
 * met another in the database is simply taken again.
 */
public final class SqlSessions {
  /** How often a step is taken again because it met another one. */
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

  /** Each statement of the step is a transaction of its own; the step may run more than once. */
  public <R> R run(String what, GroupCommit.Step<R> step) {
    return repeat(what, db -> withAutoCommit(db, true, step));
  }

  /** The whole step is one transaction, which may run more than once. */
  public <R> R transact(String what, GroupCommit.Step<R> step) {
    return repeat(what, db -> withAutoCommit(db, false, d -> committed(d, step)));
  }

  /** How long the first try took does not count against the others. */
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
        connection.setAutoCommit(automatic); // as the pool had it
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

  /** Where it is connected to, without a user, a password or options. */
  String describe() {
    String url = run("the database can't be asked", db -> db.connection().getMetaData().getURL());
    String address = url.replaceFirst("^jdbc:", "").replaceFirst("[?;].*", "");
    return PrintableText.safe(address.replaceFirst("//[^/]*@", "//"));
  }

  /** Creates the tables, or looks whether they are there. */
  void prepare(SqlDialect sql, SchemaSetup setup) {
    try (StatementCache db = new StatementCache(connect())) {
      // Automatic commits, so that no look is one of before the lock.
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

  /** Again and again, because a change that waits for long has everyone behind it wait too. */
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

  /** One at a time, for whoever starts together. */
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

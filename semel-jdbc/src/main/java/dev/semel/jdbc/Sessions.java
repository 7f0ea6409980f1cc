package dev.semel.jdbc;

import dev.semel.loop.Backoff;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

/**
 * Connections to a server for single statements: each statement is a transaction of its own, so
 * that an error leaves none behind, and one that met another in the database is simply sent again.
 */
final class Sessions {
  /** How often a statement is sent again because it met another one. */
  static final int MAX_CONFLICTS = 10;

  static final Duration FIRST_PAUSE = Duration.ofMillis(2);
  static final Duration LONGEST_PAUSE = Duration.ofMillis(200);

  private final DataSource source;
  private final Faults faults;

  Sessions(DataSource source, Faults faults) {
    this.source = source;
    this.faults = faults;
  }

  Faults faults() {
    return faults;
  }

  Connection connect() throws SQLException {
    return source.getConnection();
  }

  /** The step may run more than once; how long the first took does not count against the rest. */
  <R> R run(String what, GroupCommit.Step<R> step) {
    Backoff backoff = new Backoff(FIRST_PAUSE, LONGEST_PAUSE);
    long deadline = 0;
    for (int conflicts = 0; ; conflicts++) {
      try {
        return runOnce(step);
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

  private <R> R runOnce(GroupCommit.Step<R> step) throws SQLException {
    try (Statements db = new Statements(connect())) {
      Connection connection = db.connection();
      boolean automatic = connection.getAutoCommit();
      if (!automatic) {
        connection.setAutoCommit(true);
      }
      try {
        return step.run(db);
      } finally {
        if (!automatic) {
          connection.setAutoCommit(false); // as the pool had it
        }
      }
    }
  }

  /** Creates the tables, or looks whether they are there. */
  void prepare(Dialect sql, SchemaSetup setup) {
    try (Statements db = new Statements(connect())) {
      Connection connection = db.connection();
      boolean automatic = connection.getAutoCommit();
      connection.setAutoCommit(true); // so that no look is one of before the lock
      try {
        sql.check(db);
        switch (setup) {
          case CHECK -> sql.schema().require(connection);
          case CREATE -> {
            if (!sql.schema().isCurrent(connection)) {
              createTables(db, sql);
            }
          }
        }
      } finally {
        connection.setAutoCommit(automatic);
      }
    } catch (SQLException e) {
      throw faults.of("the database can't be opened", e);
    }
  }

  /** One at a time, for whoever starts together. */
  private static void createTables(Statements db, Dialect sql) throws SQLException {
    Connection connection = db.connection();
    connection.setAutoCommit(false);
    boolean created = false;
    try {
      sql.lockTables(db);
      sql.schema().upgrade(connection);
      connection.commit();
      created = true;
    } finally {
      if (!created) {
        connection.rollback();
      }
      sql.unlockTables(db);
    }
  }
}

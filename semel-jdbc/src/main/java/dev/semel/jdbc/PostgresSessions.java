package dev.semel.jdbc;

import dev.semel.StoreException;
import dev.semel.loop.Backoff;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

/**
 * Connections for single statements: each statement is a transaction of its own, so that an error
 * leaves none behind, and one that met another in the database is simply sent again.
 */
final class PostgresSessions {
  /** How often a statement is sent again because it met another one. */
  static final int MAX_CONFLICTS = 10;

  static final Duration FIRST_PAUSE = Duration.ofMillis(2);
  static final Duration LONGEST_PAUSE = Duration.ofMillis(200);

  private final DataSource source;

  PostgresSessions(DataSource source) {
    this.source = source;
  }

  Connection connect() throws SQLException {
    return source.getConnection();
  }

  /** The step may run more than once. */
  <R> R run(String what, GroupCommit.Step<R> step) {
    Backoff backoff = new Backoff(FIRST_PAUSE, LONGEST_PAUSE);
    long deadline = System.nanoTime() + LONGEST_PAUSE.multipliedBy(MAX_CONFLICTS).toNanos();
    for (int conflicts = 0; ; conflicts++) {
      try {
        return runOnce(step);
      } catch (SQLException e) {
        if (!PostgresFault.isConflict(e)
            || conflicts == MAX_CONFLICTS
            || !backoff.pauseUntil(deadline)) {
          throw PostgresFault.of(what, e);
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
  void prepare(SchemaSetup setup) {
    try (Statements db = new Statements(connect())) {
      requireUtf8(db);
      switch (setup) {
        case CHECK -> Schema.POSTGRESQL.require(db.connection());
        case CREATE -> {
          if (!Schema.POSTGRESQL.isCurrent(db.connection())) {
            createTables(db);
          }
        }
      }
    } catch (SQLException e) {
      throw PostgresFault.of("the database can't be opened", e);
    }
  }

  private static void requireUtf8(Statements db) throws SQLException {
    String encoding = db.first("SHOW server_encoding", rs -> rs.getString(1)).orElseThrow();
    if (!encoding.equals("UTF8")) {
      throw new StoreException(
          "PostgreSQL: the database's encoding is %s, which can't hold every key: use one with UTF8"
              .formatted(encoding));
    }
  }

  /** One at a time, for whoever starts together; the lock ends with the transaction. */
  private static void createTables(Statements db) throws SQLException {
    Connection connection = db.connection();
    boolean automatic = connection.getAutoCommit();
    connection.setAutoCommit(false);
    boolean created = false;
    try {
      db.first(
          "SELECT pg_advisory_xact_lock(?)", rs -> true, AdvisoryLock.of("semel schema changes"));
      Schema.POSTGRESQL.upgrade(connection);
      connection.commit();
      created = true;
    } finally {
      if (!created) {
        connection.rollback();
      }
      connection.setAutoCommit(automatic);
    }
  }
}

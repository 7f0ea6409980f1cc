package dev.semel.jdbc.internal.outbox;

import dev.semel.jdbc.internal.store.PostgresDriver;
import dev.semel.jdbc.internal.store.SqlSessions;
import dev.semel.jdbc.internal.transaction.BorrowedConnection;
import dev.semel.loop.internal.Loop;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Listens for writers of other processes, on a connection of its own that is opened again whenever
 * it is lost. A pooler that lends connections by the transaction hears nothing: then only the
 * relay's own looks find what is there.
 */
public final class PostgresNotifier implements AutoCloseable {
  /** After a time without a word the connection is tried: a lost one need not say so. */
  private static final Duration TRY_EVERY = Duration.ofSeconds(20);

  /**
   * How long to wait for a word at a time, and so how long a close may take. Only a connection that
   * does not answer is cut to end a wait, because a pool that gets it back so warns of it.
   */
  private static final Duration WAIT = Duration.ofMillis(100);

  private static final Duration RECONNECT_AFTER = Duration.ofSeconds(1);

  private final PostgresDriver driver;
  private final SqlSessions sessions;
  private final Runnable ring;
  private final Loop loop;
  private volatile boolean closed;
  private volatile boolean asking;
  private volatile @Nullable Connection connection;
  private boolean automatic;
  private long tried;

  private PostgresNotifier(PostgresDriver driver, SqlSessions sessions, Runnable ring) {
    this.driver = driver;
    this.sessions = sessions;
    this.ring = ring;
    this.loop = Loop.start("semel-outbox-bell", this::runOnce, RECONNECT_AFTER, e -> giveUp());
  }

  /** With another driver than the usual one, nothing is heard. */
  public static AutoCloseable listen(SqlSessions sessions, Runnable ring) {
    return PostgresDriver.find()
        .<AutoCloseable>map(driver -> new PostgresNotifier(driver, sessions, ring))
        .orElse(() -> {});
  }

  /** False: someone asked to end it. */
  private boolean runOnce() throws SQLException {
    Connection known = connection;
    if (closed) {
      return false;
    }
    if (known == null) {
      open();
      ring.run(); // whoever rang in between was not heard
      return true;
    }
    if (driver.heard(known, WAIT)) {
      tried = System.nanoTime();
      ring.run();
    } else if (System.nanoTime() - tried > TRY_EVERY.toNanos()) {
      ask(known, "SELECT 1");
    }
    return true;
  }

  private void open() throws SQLException {
    Connection fresh = sessions.connect();
    connection = fresh;
    automatic = fresh.getAutoCommit();
    if (!automatic) {
      fresh.setAutoCommit(true);
    }
    ask(fresh, "LISTEN " + PostgresOutbox.CHANNEL);
  }

  /** The server may never answer, so whoever closes must see that it is waited for. */
  private void ask(Connection connection, String sql) throws SQLException {
    asking = true;
    try (Statement statement = connection.createStatement()) {
      if (!closed) {
        statement.execute(sql);
        tried = System.nanoTime();
      }
    } finally {
      asking = false;
    }
  }

  /** As it came: a pool must not lend a connection that listens. */
  private void giveBack() {
    Connection known = connection;
    connection = null;
    if (known != null) {
      BorrowedConnection.giveBack(
          known,
          () -> {
            try (Statement statement = known.createStatement()) {
              statement.execute("UNLISTEN *");
            }
            if (!automatic) {
              known.setAutoCommit(false);
            }
          });
    }
  }

  /** Cut off, because nobody knows whether it still listens. */
  private void giveUp() {
    Connection lost = connection;
    connection = null;
    if (lost != null) {
      BorrowedConnection.giveUp(lost);
    }
  }

  @Override
  public void close() {
    closed = true;
    if (asking) {
      giveUp();
    }
    loop.close();
    giveBack();
  }
}

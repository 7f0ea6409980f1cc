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
 * Listens for commits of other processes' writers, on a separate connection that reopens after a
 * loss. Through a transaction-mode pooler no notification arrives; then only the relay's polls find
 * new messages.
 */
public final class PostgresNotifier implements AutoCloseable {
  /** After this long without a notification the connection is tested: a loss may go unnoticed. */
  private static final Duration TRY_EVERY = Duration.ofSeconds(20);

  /**
   * How long one wait for notifications lasts, and so how long a close may take. Closing does not
   * abort a healthy connection, because a pool would log a warning when it gets that back.
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

  /** Starts listening; does nothing with another driver. */
  public static AutoCloseable listen(SqlSessions sessions, Runnable ring) {
    return PostgresDriver.find()
        .<AutoCloseable>map(driver -> new PostgresNotifier(driver, sessions, ring))
        .orElse(() -> {});
  }

  /**
   * One turn.
   *
   * @return false when it was closed
   */
  private boolean runOnce() throws SQLException {
    Connection known = connection;
    if (closed) {
      return false;
    }
    if (known == null) {
      open();
      ring.run(); // a notification during the reconnect was missed, so look once
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

  /** Marks the request as running, so that {@link #close} can abort a server that never answers. */
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

  /** Stops listening first: a pool must not lend a listening connection. */
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

  /** Aborts the connection, because it may still listen. */
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

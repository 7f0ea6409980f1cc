package dev.semel.jdbc;

import dev.semel.loop.Loop;
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
final class PostgresBell implements AutoCloseable {
  /** After a time without a word the connection is tried: a lost one need not say so. */
  private static final Duration TRY_EVERY = Duration.ofSeconds(20);

  private static final Duration RECONNECT_AFTER = Duration.ofSeconds(1);

  private final PostgresDriver driver;
  private final Sessions sessions;
  private final Runnable ring;
  private final Loop loop;
  private volatile boolean closed;
  private volatile @Nullable Connection connection;

  private PostgresBell(PostgresDriver driver, Sessions sessions, Runnable ring) {
    this.driver = driver;
    this.sessions = sessions;
    this.ring = ring;
    this.loop = Loop.start("semel-outbox-bell", this::runOnce, RECONNECT_AFTER, e -> giveUp());
  }

  /** With another driver than the usual one, nothing is heard. */
  static AutoCloseable listen(Sessions sessions, Runnable ring) {
    return PostgresDriver.find()
        .<AutoCloseable>map(driver -> new PostgresBell(driver, sessions, ring))
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
    if (driver.heard(known, TRY_EVERY)) {
      ring.run();
    } else {
      execute(known, "SELECT 1");
    }
    return true;
  }

  private void open() throws SQLException {
    Connection fresh = sessions.connect();
    connection = fresh;
    if (closed) {
      giveUp(); // or close() has looked for it too early
      return;
    }
    fresh.setAutoCommit(true);
    execute(fresh, "LISTEN " + PostgresOutbox.CHANNEL);
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Cut off, because a pool must not lend a connection that listens. */
  private void giveUp() {
    Connection lost = connection;
    connection = null;
    if (lost != null) {
      Borrowed.giveUp(lost);
    }
  }

  /** Ends the wait by cutting the connection. */
  @Override
  public void close() {
    closed = true;
    giveUp();
    loop.close();
    giveUp();
  }
}

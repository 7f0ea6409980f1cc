package dev.semel.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/**
 * The one thing that JDBC has no word for and PostgreSQL's driver has: waiting for a notification.
 * Looked up by name, because the driver is the program's, and who uses another database has none.
 */
record PostgresDriver(Class<?> type, Method notifications) {
  static Optional<PostgresDriver> find() {
    try {
      Class<?> type = Class.forName("org.postgresql.PGConnection");
      return Optional.of(new PostgresDriver(type, type.getMethod("getNotifications", int.class)));
    } catch (ReflectiveOperationException e) {
      return Optional.empty();
    }
  }

  /** Waits, and forgets what it heard: that there was something is all there is to it. */
  boolean heard(Connection connection, Duration patience) throws SQLException {
    try {
      Object heard = notifications.invoke(connection.unwrap(type), (int) patience.toMillis());
      return heard instanceof Object[] several && several.length > 0;
    } catch (InvocationTargetException e) {
      throw new SQLException("waiting for a notification failed", e.getCause());
    } catch (IllegalAccessException e) {
      throw new SQLException("the driver does not let itself be asked for notifications", e);
    }
  }
}

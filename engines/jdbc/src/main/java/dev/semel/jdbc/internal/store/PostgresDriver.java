package dev.semel.jdbc.internal.store;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Functions of PostgreSQL's driver that JDBC lacks: waiting for a notification, and reading the
 * last reported value of a parameter. Called by reflection, because the application brings the
 * driver, and may bring none.
 */
public record PostgresDriver(Class<?> type, Method notifications, Method status) {
  public static Optional<PostgresDriver> find() {
    try {
      Class<?> type = Class.forName("org.postgresql.PGConnection");
      return Optional.of(
          new PostgresDriver(
              type,
              type.getMethod("getNotifications", int.class),
              type.getMethod("getParameterStatus", String.class)));
    } catch (ReflectiveOperationException e) {
      return Optional.empty();
    }
  }

  /** Waits for a notification. Its content is dropped: only that one came matters. */
  public boolean heard(Connection connection, Duration patience) throws SQLException {
    Object heard = call(notifications, connection.unwrap(type), (int) patience.toMillis());
    return heard instanceof Object[] several && several.length > 0;
  }

  /** The last value that the server reported for a parameter, without asking it; empty: none. */
  public String status(Object driversOwn, String parameter) throws SQLException {
    return call(status, driversOwn, parameter) instanceof String value ? value : "";
  }

  private static @Nullable Object call(Method method, Object driversOwn, Object argument)
      throws SQLException {
    try {
      return method.invoke(driversOwn, argument);
    } catch (InvocationTargetException e) {
      throw new SQLException("PostgreSQL's driver failed", e.getCause());
    } catch (IllegalAccessException e) {
      throw new SQLException("PostgreSQL's driver does not let itself be asked", e);
    }
  }
}

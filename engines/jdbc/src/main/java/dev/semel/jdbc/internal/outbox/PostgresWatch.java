package dev.semel.jdbc.internal.outbox;

import dev.semel.jdbc.internal.inbox.HandlerCall;
import dev.semel.jdbc.internal.inbox.TransactionWatch;
import dev.semel.jdbc.internal.store.PostgresDriver;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/**
 * Changes {@code application_name} for the rest of the transaction. PostgreSQL reports a change of
 * it to the client, so the driver learns of the transaction's end with the answer to the statement
 * that ended it, even if another transaction has begun since. It also shows an administrator that
 * an inbox uses the connection.
 */
public record PostgresWatch(PostgresDriver driver, Object driversOwn, String name)
    implements TransactionWatch {
  private static final String PARAMETER = "application_name";
  private static final String SUFFIX = " [semel inbox]";

  /** The server truncates names to 63 bytes. */
  private static final int MAX_NAME = 63 - SUFFIX.length();

  /** Empty where the name is not visible: with another driver, or behind a proxy. */
  public static Optional<TransactionWatch> begin(PostgresDriver driver, Connection connection)
      throws SQLException {
    if (!connection.isWrapperFor(driver.type())) {
      return Optional.empty();
    }
    Object driversOwn = connection.unwrap(driver.type());
    String before = driver.status(driversOwn, PARAMETER);
    PostgresWatch watch = new PostgresWatch(driver, driversOwn, name(before));
    if (watch.name.equals(before)) {
      return Optional.empty();
    }
    HandlerCall.execute(
        connection, "SET LOCAL %s = '%s'; %s".formatted(PARAMETER, watch.name, SAVEPOINT));
    return watch.holds() ? Optional.of(watch) : Optional.empty();
  }

  private static String name(String before) {
    String plain = before.replaceAll("[^A-Za-z0-9 ._:/@-]", "?");
    return plain.substring(0, Math.min(plain.length(), MAX_NAME)) + SUFFIX;
  }

  @Override
  public boolean holds() throws SQLException {
    return driver.status(driversOwn, PARAMETER).equals(name);
  }
}

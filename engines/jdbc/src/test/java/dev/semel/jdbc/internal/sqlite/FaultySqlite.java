package dev.semel.jdbc.internal.sqlite;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Properties;
import java.util.logging.Logger;

/**
 * SQLite's driver, whose connections to one file can't commit until it is healed. Other files are
 * left to the real driver.
 */
final class FaultySqlite implements Driver, AutoCloseable {
  private final Driver real;
  private final String url;
  private volatile boolean healed;

  private FaultySqlite(Driver real, String url) {
    this.real = real;
    this.url = url;
  }

  /** Is asked before the real driver, which other threads find at any time. */
  static FaultySqlite of(Path file) throws SQLException {
    String url = "jdbc:sqlite:" + file.toAbsolutePath().normalize();
    Driver real = DriverManager.getDriver(url);
    FaultySqlite made = new FaultySqlite(real, url);
    DriverManager.registerDriver(made);
    DriverManager.deregisterDriver(real); // drivers are asked in the order of their registration
    DriverManager.registerDriver(real);
    return made;
  }

  void heal() {
    healed = true;
  }

  @Override
  public Connection connect(String wanted, Properties settings) throws SQLException {
    Connection connection = real.connect(wanted, settings);
    if (!wanted.equals(url)) {
      return connection;
    }
    InvocationHandler handler =
        (proxy, method, arguments) -> {
          boolean commits =
              method.getName().equals("setAutoCommit") && Boolean.TRUE.equals(arguments[0]);
          if (commits && !healed) {
            throw new IllegalStateException("a bug in commit");
          }
          try {
            return method.invoke(connection, arguments);
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        };
    return (Connection)
        Proxy.newProxyInstance(
            Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, handler);
  }

  @Override
  public boolean acceptsURL(String wanted) throws SQLException {
    return real.acceptsURL(wanted);
  }

  @Override
  public DriverPropertyInfo[] getPropertyInfo(String wanted, Properties settings)
      throws SQLException {
    return real.getPropertyInfo(wanted, settings);
  }

  @Override
  public int getMajorVersion() {
    return real.getMajorVersion();
  }

  @Override
  public int getMinorVersion() {
    return real.getMinorVersion();
  }

  @Override
  public boolean jdbcCompliant() {
    return real.jdbcCompliant();
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    return real.getParentLogger();
  }

  @Override
  public void close() throws SQLException {
    DriverManager.deregisterDriver(this);
  }
}

package dev.semel.testservices;

import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * One database of a {@link PostgresService}; it trusts every local user, so none has a password.
 */
public record TestDatabase(int port, String name) {
  static final String USER = "postgres";

  /** The store URL. */
  public String url() {
    return "postgresql://" + USER + "@" + FreePorts.HOST + ":" + port + "/" + name;
  }

  public String jdbcUrl() {
    return "jdbc:postgresql://" + FreePorts.HOST + ":" + port + "/" + name + "?user=" + USER;
  }

  /** A source that opens a new connection per call. */
  public DataSource dataSource() {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(jdbcUrl());
    return source;
  }
}

package dev.semel.spring;

import java.sql.Connection;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Connections of the transactions that run, and never any other. */
final class BoundConnections {
  private final DataSource source;

  BoundConnections(DataSource source) {
    DataSource inner = source;
    while (inner instanceof DelegatingDataSource delegating
        && delegating.getTargetDataSource() != null) {
      inner = delegating.getTargetDataSource();
    }
    this.source = inner;
  }

  /** The source itself, without what binds its connections to transactions. */
  DataSource source() {
    return source;
  }

  /**
   * The connection of the transaction on this thread.
   *
   * @param what needs it
   * @throws IllegalStateException there is no transaction, or not one that could write there
   */
  Connection required(String what) {
    if (!TransactionSynchronizationManager.isActualTransactionActive()) {
      throw new IllegalStateException(
          what
              + " needs a running transaction, so that it commits together with what it belongs to: call it in a @Transactional method, or in a TransactionTemplate");
    }
    if (!(TransactionSynchronizationManager.getResource(source) instanceof ConnectionHolder)) {
      throw new IllegalStateException(
          what
              + " needs a transaction on the application's DataSource, but the one that runs has no connection of it: use a JdbcTransactionManager or JpaTransactionManager for that DataSource");
    }
    if (TransactionSynchronizationManager.isCurrentTransactionReadOnly()) {
      throw new IllegalStateException(
          what + " writes, but the running transaction is read-only: drop readOnly = true");
    }
    return DataSourceUtils.getConnection(source);
  }
}

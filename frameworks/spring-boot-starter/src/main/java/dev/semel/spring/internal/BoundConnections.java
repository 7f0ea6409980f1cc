package dev.semel.spring.internal;

import java.lang.reflect.Method;
import java.sql.Connection;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ReflectionUtils;

/** Returns connections of active Spring transactions, never any other. */
public final class BoundConnections {
  private final DataSource source;

  public BoundConnections(DataSource source) {
    this.source = inner(source);
  }

  private static DataSource inner(DataSource source) {
    DataSource inner = source;
    while (inner instanceof DelegatingDataSource delegating
        && delegating.getTargetDataSource() != null) {
      inner = delegating.getTargetDataSource();
    }
    return inner;
  }

  /**
   * Finds the transaction manager of this source: the only one for it, or of several the primary
   * one. A manager that does not name its source is used if there is no other, and the first call
   * fails if it binds no connection.
   */
  public Optional<PlatformTransactionManager> manager(
      ObjectProvider<PlatformTransactionManager> managers) {
    List<PlatformTransactionManager> ours =
        managers.stream()
            .filter(each -> sourceOf(each).filter(source::equals).isPresent())
            .toList();
    PlatformTransactionManager unique = managers.getIfUnique();
    if (ours.size() == 1) {
      return Optional.of(ours.getFirst());
    }
    return Optional.ofNullable(unique)
        .filter(each -> ours.contains(each) || sourceOf(each).isEmpty());
  }

  /** JDBC's and JPA's managers have the same method, but no common interface. */
  private static Optional<DataSource> sourceOf(PlatformTransactionManager manager) {
    Method getter = ReflectionUtils.findMethod(manager.getClass(), "getDataSource");
    if (getter == null) {
      return Optional.empty();
    }
    ReflectionUtils.makeAccessible(getter);
    Object found = ReflectionUtils.invokeMethod(getter, manager);
    return found instanceof DataSource named ? Optional.of(inner(named)) : Optional.empty();
  }

  /** The raw source, without the proxy that binds connections to transactions. */
  DataSource source() {
    return source;
  }

  /**
   * The connection of this thread's transaction.
   *
   * @param what the caller's name for the message
   * @throws IllegalStateException there is no transaction, or it can't write
   */
  public Connection required(String what) {
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

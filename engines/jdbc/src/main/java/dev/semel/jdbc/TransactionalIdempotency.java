package dev.semel.jdbc;

import dev.semel.ExecutionOrigin;
import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.StoreException;
import dev.semel.Token;
import dev.semel.event.Event.Unguarded.Reason;
import dev.semel.idempotency.ClaimResult;
import dev.semel.idempotency.Execution;
import dev.semel.idempotency.ExecutionRequest;
import dev.semel.idempotency.GuardedExecutor;
import dev.semel.idempotency.Maintenance;
import dev.semel.idempotency.OperationSettings;
import dev.semel.idempotency.Outcome;
import dev.semel.idempotency.TimingListener;
import dev.semel.idempotency.Work;
import dev.semel.idempotency.internal.DecisionReporter;
import dev.semel.internal.Ids;
import dev.semel.jdbc.internal.transaction.EngineTransactions;
import dev.semel.jdbc.internal.transaction.JoinedTransaction;
import dev.semel.jdbc.internal.transaction.ReportedTransactions;
import dev.semel.jdbc.internal.transaction.TransactionExecution;
import dev.semel.jdbc.internal.transaction.TransactionalRun;
import dev.semel.jdbc.internal.transaction.WorkConnection;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Function;

/**
 * Executes work once per key inside a database transaction: the work's writes and the record of it
 * commit together, or neither does. There is no lease, and a crash never leaves an outcome in
 * doubt: uncommitted work did not happen, and the next caller runs.
 *
 * <p>The guarantee covers what the work writes through its connection. A rollback does not undo
 * effects elsewhere, and the work may run again after one: by a caller's retry, or here, when the
 * database asks for the transaction to be repeated.
 *
 * <p>On PostgreSQL and MariaDB concurrent duplicates get {@link Outcome.InFlight} at once, without
 * holding a connection. On SQLite the work of all keys takes turns, and it must not call the store
 * itself. Keys may be shared with executions under a lease: both modes read the records of both.
 *
 * <p>The operators' settings for an operation apply here too; see {@link Maintenance#settings()}.
 * Of the {@link dev.semel.idempotency.ExecutionPolicy}, retention, waiting, failures and the size
 * of responses apply; the takeover policy decides what happens to an unfinished execution under a
 * lease.
 *
 * <p>Safe for use by many threads. The store is not closed.
 */
public final class TransactionalIdempotency implements AutoCloseable {
  private final ReportedTransactions engine;
  private final EngineTransactions transactions;
  private final DecisionReporter reporter;
  private final Function<Operation, OperationSettings> settings;

  TransactionalIdempotency(
      ReportedTransactions engine, Function<Operation, OperationSettings> settings) {
    this.engine = engine;
    this.transactions = engine.transactions();
    this.reporter = engine.reporter();
    this.settings = settings;
  }

  private static TransactionalIdempotency on(
      EngineTransactions transactions, Maintenance maintenance) {
    return new TransactionalIdempotency(
        new ReportedTransactions(transactions, maintenance.reporter(), TimingListener.NONE),
        operation -> maintenance.settings().of(operation));
  }

  /**
   * A copy that also reports how long its checks and records take to this listener. Close the copy
   * instead of this. Executions under a lease are timed by their store.
   */
  public TransactionalIdempotency with(TimingListener others) {
    return new TransactionalIdempotency(
        new ReportedTransactions(transactions, reporter, others), settings);
  }

  /** Uses one connection from the store's source per execution, for as long as the work runs. */
  public static TransactionalIdempotency on(PostgresStore store, Maintenance maintenance) {
    return on(store.transactions(), maintenance);
  }

  /**
   * Runs in transactions that the application begins and ends, on connections to the store's
   * database. A joined transaction is never repeated and nothing waits inside it. So choose a
   * policy that does not wait and stores no failures: a stored failure would have to outlive the
   * transaction.
   */
  public static TransactionalIdempotency on(
      PostgresStore store, Maintenance maintenance, OuterTransactions transactions) {
    return on(store.transactions(transactions), maintenance);
  }

  /** Uses one connection from the MariaDB store's source per execution. */
  public static TransactionalIdempotency on(MariaDbStore store, Maintenance maintenance) {
    return on(store.transactions(), maintenance);
  }

  /** All executions share one connection to the store's file. */
  public static TransactionalIdempotency on(SqliteStore store, Maintenance maintenance) {
    return on(new SqliteTransactions(store), maintenance);
  }

  /**
   * Joins a transaction that the caller began on this connection and will end, for example with
   * jOOQ, Jdbi or a {@code JdbcTemplate}. The record commits or rolls back with everything else in
   * it, so the outcome holds only once the caller has committed. When the work throws, its writes
   * are undone, the exception is rethrown, and the rest of the transaction stays. Nothing is
   * repeated or waited for, so choose a policy that does not wait and stores no failures. For one
   * execution.
   *
   * @param connection to the store's database, with automatic commits off
   */
  public static TransactionalIdempotency joining(
      PostgresStore store, Maintenance maintenance, Connection connection) {
    return on(store.transactions(new JoinedTransaction(connection)), maintenance);
  }

  /** Joins a transaction that the caller began on MariaDB, as on PostgreSQL. */
  public static TransactionalIdempotency joining(
      MariaDbStore store, Maintenance maintenance, Connection connection) {
    return on(store.joining(connection), maintenance);
  }

  /**
   * Joins a transaction that the caller began on SQLite, with a connection to the store's file.
   * Until that transaction ends, no other connection can write to the file.
   */
  public static TransactionalIdempotency joining(
      SqliteStore store, Maintenance maintenance, Connection connection) {
    return on(new JoinedSqlite(store, connection), maintenance);
  }

  /**
   * Runs the work unless the key has a record. When the work throws, its writes are rolled back and
   * the exception is rethrown; a policy that stores failures also stores this one.
   *
   * @throws StoreException when the database is unreachable or did not commit; the message says
   *     whether nothing happened or the transaction is in doubt
   * @throws IllegalStateException when the work ended the transaction, tried to, or used its
   *     connection after an error
   */
  public <T, X extends Exception> Outcome<T> execute(
      ExecutionRequest<T> request, TransactionalWork<T, X> work) throws X {
    OperationSettings set = settings.apply(request.key().operation());
    ExecutionRequest<T> effective = request.withPolicy(set.over(request.policy()));
    return switch (set.mode()) {
      case ENFORCE -> run(effective, work);
      case OBSERVE -> observe(effective, work);
      case OFF -> {
        reporter.notAsked(request.key());
        yield runUnguarded(effective, Reason.OFF, work);
      }
    };
  }

  /**
   * A guarded executor for callers that don't hand a connection to the work, such as an HTTP
   * filter. The work gets the connection from {@link #connection}.
   */
  public GuardedExecutor asOnce() {
    return new GuardedExecutor() {
      @Override
      public <T, X extends Exception> Outcome<T> execute(
          ExecutionRequest<T> request, Work<T, X> work) throws X {
        return TransactionalIdempotency.this.execute(
            request, (connection, execution) -> work.run(execution));
      }
    };
  }

  /**
   * The connection of the transaction that an execution runs in. Like the connection of {@link
   * TransactionalWork}, it refuses to commit, to roll back and to close.
   *
   * @throws IllegalArgumentException when the execution runs under a lease instead of in a
   *     transaction
   * @throws IllegalStateException when the transaction has ended
   */
  public static Connection connection(Execution execution) {
    if (execution instanceof TransactionExecution inTransaction) {
      return inTransaction.connection();
    }
    throw new IllegalArgumentException(
        "this execution runs under a lease and has no transaction: execute it by TransactionalIdempotency.asOnce()");
  }

  private <T, X extends Exception> Outcome<T> run(
      ExecutionRequest<T> request, TransactionalWork<T, X> work) throws X {
    return new TransactionalRun<>(engine, request, work).execute();
  }

  private <T, X extends Exception> Outcome<T> observe(
      ExecutionRequest<T> request, TransactionalWork<T, X> work) throws X {
    Outcome<T> outcome = run(request, work);
    boolean ran =
        outcome instanceof Outcome.Executed<T>
            || (outcome instanceof Outcome.Failed<T> failed && failed.cause().isPresent());
    return ran ? outcome : runUnguarded(request, Reason.OBSERVED, work);
  }

  /** Runs in a separate transaction, under a random key and without a record. */
  private <T, X extends Exception> Outcome<T> runUnguarded(
      ExecutionRequest<T> request, Reason reason, TransactionalWork<T, X> work) throws X {
    reporter.unguarded(request.key(), request.requestId(), reason);
    Token token = Token.draw();
    Key nobodys =
        new Key(request.key().tenant(), request.key().operation(), Ids.uuid7().toString());
    try (EngineTransactions.Transaction tx = begin(nobodys, token)) {
      WorkConnection connection = new WorkConnection(tx.connection());
      TransactionExecution execution =
          new TransactionExecution(request, new ClaimResult.Granted(token, 0, false), connection);
      T result;
      try {
        result =
            ExecutionOrigin.of(request.key())
                .<T, X>call(() -> work.run(connection.connection(), execution));
      } finally {
        execution.end();
      }
      commit(tx);
      reporter.ranUnguarded(request.key());
      return new Outcome.Executed<>(result, 0, false);
    }
  }

  private EngineTransactions.Transaction begin(Key key, Token token) {
    try {
      return transactions.begin(key, token);
    } catch (SQLException e) {
      throw transactions.fault("nothing was committed", e);
    }
  }

  private void commit(EngineTransactions.Transaction tx) {
    try {
      tx.commit();
    } catch (SQLException e) {
      throw transactions.fault(
          transactions.refusedCommit(e)
              ? "nothing was committed"
              : "whether it was committed is not certain",
          e);
    }
  }

  @Override
  public void close() {
    transactions.close();
  }
}

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
 * commit together, or neither does. There is no lease, and no outcome is ever in doubt on account
 * of a crash: what was not committed did not happen, and the next caller runs.
 *
 * <p>The guarantee is for what the work writes through its connection. What it does elsewhere is
 * not undone by a rollback, and the work may run again after one: by a caller's retry, or here,
 * when the database asks for the transaction to be repeated.
 *
 * <p>On PostgreSQL and MariaDB concurrent duplicates are told {@link Outcome.InFlight} at once,
 * without holding a connection. On SQLite the work of all keys takes turns, and it must not call
 * the store itself. Keys may be shared with executions under a lease: records of both kinds are
 * understood by both.
 *
 * <p>What operators set for an operation applies here too; see {@link Maintenance#settings()}. Of
 * the {@link dev.semel.idempotency.ExecutionPolicy}, retention, waiting, failures and the size of
 * responses apply; the takeover policy decides about what an execution under a lease left behind.
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
   * Executions as of this, of whose checks and records these hear; to be closed in its place. Under
   * a lease it is the store that is timed.
   */
  public TransactionalIdempotency with(TimingListener others) {
    return new TransactionalIdempotency(
        new ReportedTransactions(transactions, reporter, others), settings);
  }

  /** Each execution takes a connection from the store's source for as long as its work runs. */
  public static TransactionalIdempotency on(PostgresStore store, Maintenance maintenance) {
    return on(store.transactions(), maintenance);
  }

  /**
   * In transactions that the application begins and ends; they must be on connections to the
   * store's database. Nothing is repeated or waited for within one that was joined, so let its
   * policy wait for nobody and keep no failure, which would have to outlive it.
   */
  public static TransactionalIdempotency on(
      PostgresStore store, Maintenance maintenance, OuterTransactions transactions) {
    return on(store.transactions(transactions), maintenance);
  }

  /** Each execution takes a connection of its own here too. */
  public static TransactionalIdempotency on(MariaDbStore store, Maintenance maintenance) {
    return on(store.transactions(), maintenance);
  }

  /** All executions share one connection to the store's file. */
  public static TransactionalIdempotency on(SqliteStore store, Maintenance maintenance) {
    return on(new SqliteTransactions(store), maintenance);
  }

  /**
   * Within one transaction that the caller has begun on this connection and will end, such as one
   * of jOOQ, Jdbi or a {@code JdbcTemplate}: the record commits or rolls back with everything else
   * there, and what is answered is true once the caller has committed. What the work throws is
   * thrown on after its writes were undone; the rest of the transaction stays. Nothing is repeated
   * or waited for, so let the policy wait for nobody and keep no failure. For one execution.
   *
   * @param connection to the store's database, with automatic commits off
   */
  public static TransactionalIdempotency joining(
      PostgresStore store, Maintenance maintenance, Connection connection) {
    return on(store.transactions(new JoinedTransaction(connection)), maintenance);
  }

  /** Within one transaction of the caller's on MariaDB, as on PostgreSQL. */
  public static TransactionalIdempotency joining(
      MariaDbStore store, Maintenance maintenance, Connection connection) {
    return on(store.joining(connection), maintenance);
  }

  /**
   * Within one transaction of the caller's on SQLite, with a connection to the store's file; from
   * then on nobody else writes to the file until the transaction ends.
   */
  public static TransactionalIdempotency joining(
      SqliteStore store, Maintenance maintenance, Connection connection) {
    return on(new JoinedSqlite(store, connection), maintenance);
  }

  /**
   * Runs the work unless it was done before. What it throws is thrown on after a rollback, unless
   * the policy calls the failure final: then its writes are rolled back and the failure is kept.
   *
   * @throws StoreException when the database can't be asked or did not commit; the message says
   *     whether nothing happened or that is unknown
   * @throws IllegalStateException when the work asked its connection to end the transaction, ended
   *     it by another way, or used it after an error
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
   * Executes work that takes no connection, such as that of an HTTP filter; it asks for the
   * connection with {@link #connection}.
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
   * The connection of the transaction that an execution runs in. What is true of {@link
   * TransactionalWork}'s is true of it: it refuses to commit, to roll back and to close.
   *
   * @throws IllegalArgumentException when it does not run in a transaction, but under a lease
   * @throws IllegalStateException when it is over
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

  /** In a transaction of its own, under a key that nobody else has, and without a record. */
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

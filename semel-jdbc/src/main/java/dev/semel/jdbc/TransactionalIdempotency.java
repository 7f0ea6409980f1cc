package dev.semel.jdbc;

import dev.semel.StoreException;
import dev.semel.idempotency.Outcome;
import dev.semel.idempotency.Reporter;
import dev.semel.idempotency.Request;

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
 * <p>Of the {@link dev.semel.idempotency.Policy}, retention, waiting, failures and the size of
 * responses apply; the takeover policy decides about what an execution under a lease left behind.
 *
 * <p>Safe for use by many threads. The store is not closed.
 */
public final class TransactionalIdempotency implements AutoCloseable {
  private final Transactions transactions;
  private final Reporter reporter;

  private TransactionalIdempotency(Transactions transactions, Reporter reporter) {
    this.transactions = transactions;
    this.reporter = reporter;
  }

  /** Each execution takes a connection from the store's source for as long as its work runs. */
  public static TransactionalIdempotency on(PostgresStore store, Reporter reporter) {
    return new TransactionalIdempotency(store.transactions(), reporter);
  }

  /** The same on MariaDB. */
  public static TransactionalIdempotency on(MariaDbStore store, Reporter reporter) {
    return new TransactionalIdempotency(store.transactions(), reporter);
  }

  /** All executions share one connection to the store's file. */
  public static TransactionalIdempotency on(SqliteStore store, Reporter reporter) {
    return new TransactionalIdempotency(new SqliteTransactions(store), reporter);
  }

  /**
   * Runs the work unless it was done before. What it throws is thrown on after a rollback, unless
   * the policy calls the failure final: then its writes are rolled back and the failure is kept.
   *
   * @throws StoreException when the database can't be asked or did not commit; the message says
   *     whether nothing happened or that is unknown
   * @throws IllegalStateException when the work ended the transaction, or used it after an error
   */
  public <T, X extends Exception> Outcome<T> execute(
      Request<T> request, TransactionalWork<T, X> work) throws X {
    return new TransactionalRun<>(transactions, reporter, request, work).execute();
  }

  @Override
  public void close() {
    transactions.close();
  }
}

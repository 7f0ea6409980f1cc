package dev.semel.jdbc.internal.outbox;

import dev.semel.StoreException;
import dev.semel.jdbc.internal.sqlite.SqliteFault;
import dev.semel.jdbc.internal.sqlite.SqliteFile;
import dev.semel.jdbc.internal.sqlite.SqliteWriter;
import dev.semel.jdbc.internal.store.SqlSessions;
import dev.semel.jdbc.internal.transaction.BorrowedConnection;
import dev.semel.jdbc.internal.transaction.EngineTransactions;
import dev.semel.outbox.OutboxWork;
import java.sql.Connection;
import java.sql.SQLException;

/** Runs work that sends messages in a transaction. Safe for many threads. */
public interface OutboxTransactions extends AutoCloseable {
  /**
   * Runs the work and commits; rolls back and rethrows when it throws.
   *
   * @throws StoreException when no transaction could begin or it did not commit; the message says
   *     whether nothing happened or that is in doubt
   */
  <T, X extends Exception> T run(OutboxWork<T, X> work) throws X;

  @Override
  void close();

  /** On a server: one connection per transaction, which goes back unchanged. */
  record OnServer(SqlSessions sessions) implements OutboxTransactions {
    @Override
    public <T, X extends Exception> T run(OutboxWork<T, X> work) throws X {
      BorrowedConnection borrowed = begin();
      try {
        T result = work.run(borrowed.connection());
        commit(borrowed);
        return result;
      } finally {
        borrowed.giveBack(() -> {});
      }
    }

    private BorrowedConnection begin() {
      try {
        return begin(sessions.connect());
      } catch (SQLException e) {
        throw sessions.faults().of("nothing was done, no transaction could be begun", e);
      }
    }

    private static BorrowedConnection begin(Connection connection) throws SQLException {
      try {
        BorrowedConnection borrowed = BorrowedConnection.of(connection);
        connection.setAutoCommit(false);
        return borrowed;
      } catch (SQLException e) {
        BorrowedConnection.giveUp(connection);
        throw e;
      }
    }

    private void commit(BorrowedConnection borrowed) {
      try {
        borrowed.requireOpen();
        borrowed.commit();
      } catch (SQLException e) {
        throw sessions
            .faults()
            .of(
                sessions.faults().refusedCommit(e)
                    ? "nothing was committed"
                    : "whether it was committed is unknown",
                e);
      }
    }

    /** The source owns the connections, so there is nothing to close. */
    @Override
    public void close() {}
  }

  /** In a file: work takes turns with all other writers. */
  record InFile(SqliteFile file, SqliteWriter writer) implements OutboxTransactions {
    @Override
    public <T, X extends Exception> T run(OutboxWork<T, X> work) throws X {
      file.awaitTurn();
      boolean committed = false;
      try {
        T result = work.run(begin());
        commit();
        committed = true;
        return result;
      } finally {
        if (!committed) {
          writer.rollback();
        }
        file.giveTurn();
      }
    }

    private Connection begin() {
      try {
        return writer.begin().connection();
      } catch (SQLException e) {
        throw file.fault("nothing was done, no transaction could be begun", e);
      }
    }

    private void commit() {
      try {
        Connection connection = writer.connection();
        if (connection.isClosed() || connection.getAutoCommit()) {
          throw EngineTransactions.endedByWork();
        }
        writer.commit();
      } catch (SQLException e) {
        throw file.fault(
            SqliteFault.refusedCommit(e)
                ? "nothing was committed"
                : "whether it was committed is unknown",
            e);
      }
    }

    @Override
    public void close() {
      file.awaitTurn();
      try {
        writer.close();
      } finally {
        file.giveTurn();
      }
    }
  }
}

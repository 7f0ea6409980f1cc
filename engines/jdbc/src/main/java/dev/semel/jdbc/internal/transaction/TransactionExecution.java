package dev.semel.jdbc.internal.transaction;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.idempotency.ClaimResult;
import dev.semel.idempotency.Execution;
import dev.semel.idempotency.ExecutionPolicy;
import dev.semel.idempotency.ExecutionRequest;
import java.sql.Connection;

/** The execution that work in a transaction sees. It has its key until it returns. */
public final class TransactionExecution implements Execution {
  private final ExecutionRequest<?> request;
  private final ClaimResult.Granted granted;
  private final WorkConnection connection;
  private volatile boolean held = true;

  public TransactionExecution(
      ExecutionRequest<?> request, ClaimResult.Granted granted, WorkConnection connection) {
    this.request = request;
    this.granted = granted;
    this.connection = connection;
  }

  /**
   * The transaction's connection, which only the work may use.
   *
   * @throws IllegalStateException when the work is over
   */
  public Connection connection() {
    if (!held) {
      throw new IllegalStateException(
          "the transaction is over: use its connection only while the work runs");
    }
    return connection.connection();
  }

  public void end() {
    held = false;
    connection.end();
  }

  @Override
  public Key key() {
    return request.key();
  }

  @Override
  public int attempt() {
    return granted.attempt();
  }

  @Override
  public boolean takenOver() {
    return granted.takenOver();
  }

  @Override
  public Token token() {
    return granted.token();
  }

  @Override
  public ExecutionPolicy policy() {
    return request.policy();
  }

  @Override
  public boolean inTransaction() {
    return true;
  }

  @Override
  public boolean held() {
    return held;
  }
}

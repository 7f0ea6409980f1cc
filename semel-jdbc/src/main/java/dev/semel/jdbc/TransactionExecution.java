package dev.semel.jdbc;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.idempotency.Claim;
import dev.semel.idempotency.Execution;

/** What work within a transaction knows about itself: the key is its own until it returns. */
final class TransactionExecution implements Execution {
  private final Key key;
  private final Claim.Granted granted;
  private volatile boolean held = true;

  TransactionExecution(Key key, Claim.Granted granted) {
    this.key = key;
    this.granted = granted;
  }

  void end() {
    held = false;
  }

  @Override
  public Key key() {
    return key;
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
  public boolean held() {
    return held;
  }
}

package dev.semel.idempotency.internal;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.idempotency.Execution;
import dev.semel.idempotency.ExecutionPolicy;

/** The execution of unprotected work: the operation is switched off, or only observed. */
public record UnguardedExecution(Key key, Token token, ExecutionPolicy policy)
    implements Execution {
  @Override
  public int attempt() {
    return 0;
  }

  @Override
  public boolean takenOver() {
    return false;
  }

  /** There is no key that it could lose. */
  @Override
  public boolean held() {
    return true;
  }
}

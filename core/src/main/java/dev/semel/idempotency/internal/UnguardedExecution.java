package dev.semel.idempotency.internal;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.idempotency.Execution;
import dev.semel.idempotency.ExecutionPolicy;

/** Work that holds nothing: the operation is switched off, or only observed. */
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

  /** There is nothing that it could lose. */
  @Override
  public boolean held() {
    return true;
  }
}

package dev.semel.idempotency;

import dev.semel.Key;
import dev.semel.Token;

/** Work that holds nothing: the operation is switched off, or only observed. */
record UnguardedExecution(Key key, Token token, ExecutionPolicy policy) implements Execution {
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

package dev.semel.job;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.idempotency.Execution;
import dev.semel.idempotency.ExecutionPolicy;

/** The execution of a slot; it is held while both its key and its turn are. */
record SlotExecution(Execution execution, CronTurn turn) implements Execution {
  @Override
  public Key key() {
    return execution.key();
  }

  @Override
  public int attempt() {
    return execution.attempt();
  }

  @Override
  public boolean takenOver() {
    return execution.takenOver();
  }

  @Override
  public Token token() {
    return execution.token();
  }

  @Override
  public ExecutionPolicy policy() {
    return execution.policy();
  }

  @Override
  public boolean held() {
    return execution.held() && turn.held();
  }
}

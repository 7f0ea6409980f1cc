package dev.semel.proof.fault;

import dev.semel.idempotency.Execution;
import dev.semel.idempotency.GuardedExecutor;
import dev.semel.idempotency.Maintenance;
import dev.semel.job.Job;
import dev.semel.job.spi.JobQueue;
import java.util.List;

/** Queues, executions and a ledger, as each process of {@link JobKillHarness} has them. */
public interface JobWorld extends AutoCloseable {
  JobQueue queue();

  Maintenance maintenance();

  GuardedExecutor once();

  /** What a job does: a line in the ledger. */
  void effect(Job job, Execution execution) throws Exception;

  /** All that happened, whoever did it. */
  List<EffectLog.Line> effects();

  /** How many of those there are, cheaply. */
  long progress();

  /** What there is to say of them beside that; empty: nothing. */
  default String remark() {
    return "";
  }

  @Override
  void close();

  /**
   * For a {@link #effect}: the line to write, with whether an earlier attempt may have written it.
   */
  static EffectLog.Line line(Job job, Execution execution) {
    return new EffectLog.Line(
        execution.takenOver() ? "takeover" : "effect", job.key(), execution.attempt());
  }
}

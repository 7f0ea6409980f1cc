package dev.semel.proof.fault;

import dev.semel.idempotency.Execution;
import dev.semel.idempotency.GuardedExecutor;
import dev.semel.idempotency.Maintenance;
import dev.semel.job.Job;
import dev.semel.job.spi.JobQueue;
import java.util.List;

/** The queue, executions and ledger of each process in {@link JobKillHarness}. */
public interface JobWorld extends AutoCloseable {
  JobQueue queue();

  Maintenance maintenance();

  GuardedExecutor once();

  /** A job's effect: a line in the ledger. */
  void effect(Job job, Execution execution) throws Exception;

  /** All effects, of every process. */
  List<EffectLog.Line> effects();

  /** The number of effects, cheaply. */
  long progress();

  /** An additional remark about the effects; empty: none. */
  default String remark() {
    return "";
  }

  @Override
  void close();

  /** The line for an {@link #effect}, including whether an earlier attempt may have written it. */
  static EffectLog.Line line(Job job, Execution execution) {
    return new EffectLog.Line(
        execution.takenOver() ? "takeover" : "effect", job.key(), execution.attempt());
  }
}

package dev.semel.proof.fault;

import dev.semel.event.SemelListener;
import dev.semel.idempotency.Execution;
import dev.semel.idempotency.GuardedExecutor;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.Maintenance;
import dev.semel.idempotency.spi.Store;
import dev.semel.job.Job;
import dev.semel.job.spi.JobQueue;
import java.nio.file.Path;
import java.util.List;

/** A world whose ledger is a file that records every effect, repeated ones too. */
public final class PlainLedger implements JobWorld {
  private final JobQueue queue;
  private final Idempotency idempotency;
  private final EffectLog log;

  public PlainLedger(JobQueue queue, Store store, Path file) {
    this.queue = queue;
    this.idempotency = new Idempotency(store, SemelListener.NONE);
    this.log = new EffectLog(file);
  }

  @Override
  public JobQueue queue() {
    return queue;
  }

  @Override
  public Maintenance maintenance() {
    return idempotency.maintenance();
  }

  @Override
  public GuardedExecutor once() {
    return idempotency;
  }

  @Override
  public void effect(Job job, Execution execution) {
    EffectLog.Line line = JobWorld.line(job, execution);
    log.write(line.what(), line.key(), line.attempt());
  }

  @Override
  public List<EffectLog.Line> effects() {
    return log.read();
  }

  @Override
  public long progress() {
    return log.lines();
  }

  /** Closes neither the queue nor the store. */
  @Override
  public void close() {
    idempotency.close();
  }
}

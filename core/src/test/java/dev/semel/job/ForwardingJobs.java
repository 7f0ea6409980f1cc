package dev.semel.job;

import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.job.spi.JobOperations;
import dev.semel.job.spi.JobQueue;
import dev.semel.job.spi.ReservedJob;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Stands before a real queue. */
class ForwardingJobs implements JobQueue {
  private final JobQueue queue;

  ForwardingJobs(JobQueue queue) {
    this.queue = queue;
  }

  @Override
  public String describe() {
    return queue.describe();
  }

  @Override
  public Instant now() {
    return queue.now();
  }

  @Override
  public List<EnqueueResult> enqueue(List<Job> jobs) {
    return queue.enqueue(jobs);
  }

  @Override
  public List<ReservedJob> reserve(Operation operation, int max, Duration lease) {
    return queue.reserve(operation, max, lease);
  }

  @Override
  public List<ReservedJob> extend(List<ReservedJob> held, Duration lease) {
    return queue.extend(held, lease);
  }

  @Override
  public boolean complete(ReservedJob held) {
    return queue.complete(held);
  }

  @Override
  public boolean retry(ReservedJob held, Duration pause, String error) {
    return queue.retry(held, pause, error);
  }

  @Override
  public boolean giveBack(ReservedJob held, Duration pause) {
    return queue.giveBack(held, pause);
  }

  @Override
  public boolean bury(ReservedJob held, DeadLetterReason why, String error) {
    return queue.bury(held, why, error);
  }

  @Override
  public List<Key> reap(Operation operation) {
    return queue.reap(operation);
  }

  @Override
  public JobOperations operations() {
    return queue.operations();
  }

  @Override
  public void close() {
    queue.close();
  }
}

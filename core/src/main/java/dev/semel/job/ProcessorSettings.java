package dev.semel.job;

import dev.semel.InvalidInput;
import dev.semel.idempotency.ExecutionPolicy;
import dev.semel.idempotency.TakeoverPolicy;
import dev.semel.job.spi.JobQueue;
import java.time.Duration;

/**
 * Workers, lease, retries and circuit breaker of an {@link ExactlyOnceProcessor}. The operators'
 * settings for the queue take precedence.
 *
 * @param workers how many jobs run at a time
 * @param lease how long a silent process keeps a job
 * @param maxAttempts how often a job is tried before it is a dead letter
 * @param firstPause after the first failure; about twice as long after each further one
 * @param longestPause the longest of these pauses
 * @param poll how often to look for jobs when no enqueue wakes the processor
 * @param circuitFailures after this many failures in a row, of any jobs, the queue rests
 * @param circuitRest how long it rests before one job is tried
 * @param stopWithin how long {@code close} waits for running jobs; then they are interrupted
 * @param policy how each job is executed
 */
public record ProcessorSettings(
    int workers,
    Duration lease,
    int maxAttempts,
    Duration firstPause,
    Duration longestPause,
    Duration poll,
    int circuitFailures,
    Duration circuitRest,
    Duration stopWithin,
    ExecutionPolicy policy) {
  public static final int MAX_WORKERS = JobQueue.MAX_BATCH;

  private static final ProcessorSettings DEFAULTS =
      new ProcessorSettings(
          16,
          Duration.ofSeconds(30),
          10,
          Duration.ofSeconds(1),
          Duration.ofMinutes(5),
          Duration.ofMillis(100),
          20,
          Duration.ofSeconds(10),
          Duration.ofSeconds(30),
          ExecutionPolicy.defaults().withTakeover(TakeoverPolicy.RUN_AGAIN));

  public ProcessorSettings {
    if (workers < 0 || workers > MAX_WORKERS) {
      throw new InvalidInput(
          "a processor has 0 to %d workers, not %d".formatted(MAX_WORKERS, workers));
    }
    if (maxAttempts < 1 || circuitFailures < 1) {
      throw new InvalidInput("a job is tried at least once, and one failure opens a circuit first");
    }
    if (lease.toMillis() < 10 || !poll.isPositive() || !circuitRest.isPositive()) {
      throw new InvalidInput("a lease lasts at least 10 ms; poll and circuit rest are positive");
    }
    if (!firstPause.isPositive() || longestPause.compareTo(firstPause) < 0) {
      throw new InvalidInput(
          "pauses are positive, and the longest is at least as long as the first");
    }
    if (stopWithin.isNegative()) {
      throw new InvalidInput("a processor can't stop within a negative time");
    }
  }

  public static ProcessorSettings defaults() {
    return DEFAULTS;
  }

  public ProcessorSettings withWorkers(int value) {
    return new ProcessorSettings(
        value,
        lease,
        maxAttempts,
        firstPause,
        longestPause,
        poll,
        circuitFailures,
        circuitRest,
        stopWithin,
        policy);
  }

  /** Sets the lease of the queue and of the execution. */
  public ProcessorSettings withLease(Duration value) {
    return new ProcessorSettings(
        workers,
        value,
        maxAttempts,
        firstPause,
        longestPause,
        poll,
        circuitFailures,
        circuitRest,
        stopWithin,
        policy.withLease(value));
  }

  public ProcessorSettings withRetries(int attempts, Duration first, Duration longest) {
    return new ProcessorSettings(
        workers,
        lease,
        attempts,
        first,
        longest,
        poll,
        circuitFailures,
        circuitRest,
        stopWithin,
        policy);
  }

  public ProcessorSettings withPoll(Duration value) {
    return new ProcessorSettings(
        workers,
        lease,
        maxAttempts,
        firstPause,
        longestPause,
        value,
        circuitFailures,
        circuitRest,
        stopWithin,
        policy);
  }

  public ProcessorSettings withCircuit(int failures, Duration rest) {
    return new ProcessorSettings(
        workers,
        lease,
        maxAttempts,
        firstPause,
        longestPause,
        poll,
        failures,
        rest,
        stopWithin,
        policy);
  }

  public ProcessorSettings withStopWithin(Duration value) {
    return new ProcessorSettings(
        workers,
        lease,
        maxAttempts,
        firstPause,
        longestPause,
        poll,
        circuitFailures,
        circuitRest,
        value,
        policy);
  }

  public ProcessorSettings withPolicy(ExecutionPolicy value) {
    return new ProcessorSettings(
        workers,
        lease,
        maxAttempts,
        firstPause,
        longestPause,
        poll,
        circuitFailures,
        circuitRest,
        stopWithin,
        value);
  }
}

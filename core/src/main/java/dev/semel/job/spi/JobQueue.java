package dev.semel.job.spi;

import dev.semel.InvalidInput;
import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.StoreException;
import dev.semel.job.DeadLetterReason;
import dev.semel.job.EnqueueResult;
import dev.semel.job.Job;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * The jobs of an engine: kept, handed out to workers, and remembered. Each call is one atomic step
 * on the engine's own clock; any may fail with a {@link StoreException}, even after it took effect,
 * and may be repeated. The contract, as tests, is {@code JobQueueContract} in semel-tck.
 *
 * <p>Safe for use by many threads, and many processes may share one engine. One instance reaches
 * all queues of an engine; a queue exists as soon as it has a job.
 */
public interface JobQueue extends AutoCloseable {
  /** How many jobs one call takes or hands out at most. */
  int MAX_BATCH = 1000;

  /** How long a dead letter that failed too often, or is in doubt, waits for an operator. */
  Duration DEAD_RETENTION = Duration.ofDays(30);

  /** How much of a failure is kept, in characters. */
  int MAX_ERROR_LENGTH = 8000;

  /** For people, such as {@code redis://db1:6379}; never with a password. */
  String describe();

  /** The clock that decides when a job is due. */
  Instant now();

  /**
   * Adds each job unless its key has one already, other than one that {@linkplain
   * DeadLetterReason#GAVE_UP gave up}. Each is a separate step; the second job with the same key in
   * a call is a duplicate. A job whose answer was lost is recognised by its id and counts as added.
   *
   * @return the result of each, in the same order
   */
  List<EnqueueResult> enqueue(List<Job> jobs);

  default EnqueueResult enqueue(Job job) {
    return enqueue(List.of(job)).getFirst();
  }

  /**
   * Hands out due jobs: first by priority, then by when they were due. This worker keeps them for
   * the lease.
   */
  List<ReservedJob> reserve(Operation queue, int max, Duration lease);

  /**
   * Restarts the leases from now.
   *
   * @return the jobs that the worker no longer has
   */
  List<ReservedJob> extend(List<ReservedJob> held, Duration lease);

  /** The job took effect. False: the worker no longer has it, and nothing was written. */
  boolean complete(ReservedJob held);

  /**
   * The job failed, and will be handed out again after the pause. False: as in {@link #complete}.
   */
  boolean retry(ReservedJob held, Duration pause, String error);

  /** Takes the hand-out back, but with a pause before the next. False: as in {@link #complete}. */
  boolean giveBack(ReservedJob held, Duration pause);

  /** The job becomes a dead letter. False: as in {@link #complete}. */
  boolean bury(ReservedJob held, DeadLetterReason why, String error);

  /**
   * Frees jobs whose worker let its lease end, and deletes jobs past their retention; some of each.
   *
   * @return the keys of jobs that lost their worker
   */
  List<Key> reap(Operation queue);

  /** The operations for operators. */
  JobOperations operations();

  /**
   * Settings of the engine that can break a promise: a sentence each, with what to change; empty
   * where nothing is known.
   */
  default List<String> hazards() {
    return List.of();
  }

  @Override
  void close();

  /** For engines: checks the number of jobs in a call. */
  static void checkBatch(int jobs) {
    if (jobs > MAX_BATCH) {
      throw new InvalidInput(
          "%d jobs at once are too many, the limit is %d: make several calls"
              .formatted(jobs, MAX_BATCH));
    }
  }

  /** For engines: checks the arguments of {@link #reserve}. */
  static void checkReserve(int max, Duration lease) {
    checkBatch(max);
    if (max < 1 || lease.toMillis() < 1) {
      throw new InvalidInput(
          "at least one job is reserved, for at least a millisecond, not %d for %s"
              .formatted(max, lease));
    }
  }

  /** For engines: cuts a failure to the length that is kept. */
  static String cut(String error) {
    return error.length() <= MAX_ERROR_LENGTH ? error : error.substring(0, MAX_ERROR_LENGTH);
  }
}

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
 * What an engine offers so that jobs are kept, handed out and remembered. Each call is one atomic
 * step on the engine's own clock; any may fail with a {@link StoreException}, also after it took
 * effect, and may be repeated. The contract, as tests, is {@code JobQueueContract} in semel-tck.
 *
 * <p>Safe for many threads, and many processes may share one engine. All queues of an engine are
 * reached through one of these; a queue is there as soon as a job is.
 */
public interface JobQueue extends AutoCloseable {
  /** How many jobs one call takes or hands out at most. */
  int MAX_BATCH = 1000;

  /** How long a dead letter that failed too often, or is in doubt, waits for a person. */
  Duration DEAD_RETENTION = Duration.ofDays(30);

  /** How much of a failure is kept, in characters. */
  int MAX_ERROR_LENGTH = 8000;

  /** For people, such as {@code redis://db1:6379}; never with a password. */
  String describe();

  /** The clock that decides when a job is due. */
  Instant now();

  /**
   * Puts each where no job of its key is, or one that {@linkplain DeadLetterReason#GAVE_UP gave
   * up}. Each is a step of its own; one that is asked for twice in a call is a duplicate the second
   * time. One whose answer was lost is known again by its id: it counts as added.
   *
   * @return what became of each, in the same order
   */
  List<EnqueueResult> enqueue(List<Job> jobs);

  default EnqueueResult enqueue(Job job) {
    return enqueue(List.of(job)).getFirst();
  }

  /**
   * Hands out those that are due: first by priority, then by when they were due. They stay with
   * this worker for the lease's time.
   */
  List<ReservedJob> reserve(Operation queue, int max, Duration lease);

  /**
   * Lets the leases run from now.
   *
   * @return those that the worker no longer has
   */
  List<ReservedJob> extend(List<ReservedJob> held, Duration lease);

  /** It took effect. False: the worker no longer has it, and nothing was written. */
  boolean complete(ReservedJob held);

  /** It failed, and will be handed out again after the pause. False: as in {@link #complete}. */
  boolean retry(ReservedJob held, Duration pause, String error);

  /** As if it had not been handed out, but after a pause. False: as in {@link #complete}. */
  boolean giveBack(ReservedJob held, Duration pause);

  /** It becomes a dead letter. False: as in {@link #complete}. */
  boolean bury(ReservedJob held, DeadLetterReason why, String error);

  /**
   * Lets jobs whose worker let its lease end be handed out again, and forgets what is over and past
   * its retention; some of each.
   *
   * @return the keys of those that lost their worker
   */
  List<Key> reap(Operation queue);

  /** What an operator may see and do. */
  JobOperations operations();

  /**
   * What about the engine's set-up can break a promise: a sentence each, with what to change; empty
   * where nothing is known.
   */
  default List<String> hazards() {
    return List.of();
  }

  @Override
  void close();

  /** For engines: whether so many may be asked for at once. */
  static void checkBatch(int jobs) {
    if (jobs > MAX_BATCH) {
      throw new InvalidInput(
          "%d jobs at once are too many, the limit is %d: make several calls"
              .formatted(jobs, MAX_BATCH));
    }
  }

  /** For engines: whether jobs may be asked for like this. */
  static void checkReserve(int max, Duration lease) {
    checkBatch(max);
    if (max < 1 || lease.toMillis() < 1) {
      throw new InvalidInput(
          "at least one job is reserved, for at least a millisecond, not %d for %s"
              .formatted(max, lease));
    }
  }

  /** For engines: what of a failure is kept. */
  static String cut(String error) {
    return error.length() <= MAX_ERROR_LENGTH ? error : error.substring(0, MAX_ERROR_LENGTH);
  }
}

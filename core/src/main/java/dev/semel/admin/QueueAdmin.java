package dev.semel.admin;

import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.job.Job;
import dev.semel.job.spi.JobOperations;
import dev.semel.job.spi.JobState;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.LongConsumer;

/**
 * The job queues as an operator sees and changes them; {@link JobAdmin} says what each change does.
 */
public interface QueueAdmin {
  Set<JobState> DEAD = Set.of(JobState.FAILED, JobState.IN_DOUBT);

  /** The clock that decides when a job is due. */
  Instant now();

  /** All queues that hold something, by name. */
  SortedMap<Operation, JobOperations.Counts> counts();

  Optional<JobOperations.Entry> find(Key key);

  /**
   * Jobs of one queue or of all, one queue after the other.
   *
   * @param states empty: all
   * @param cursor empty for the first page, then the cursor of the last page
   */
  JobOperations.Page list(Optional<Operation> only, Set<JobState> states, String cursor, int limit);

  /** How many dead letters {@link #retryAll} would retry. */
  default long dead(Optional<Operation> only) {
    return counts().entrySet().stream()
        .filter(each -> only.isEmpty() || only.get().equals(each.getKey()))
        .mapToLong(each -> each.getValue().dead())
        .sum();
  }

  /** Retries one dead letter; false: there is none. */
  boolean retry(Key key);

  /** A job with its payload, for operators who may change it. Empty: there is none. */
  Optional<Job> read(Key key);

  /**
   * Retries one dead letter with another payload. Its key, headers and fingerprint stay, so a
   * duplicate of the job still meets it. The new payload replaces the old one in one step, which is
   * possible only for a job that failed too often.
   *
   * @return false: there is no such dead letter
   * @throws EditConflict it failed for good, or is in doubt: its key is kept, and the answer that
   *     duplicates get must stay true
   */
  boolean retry(Key key, byte[] payload);

  /**
   * Retries all dead letters of one queue, or of all queues.
   *
   * @param progress receives the number of retried jobs so far, where it is known
   * @return how many were retried
   */
  long retryAll(Optional<Operation> only, LongConsumer progress);
}

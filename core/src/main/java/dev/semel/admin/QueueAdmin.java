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

/** What an operator sees of jobs and does to them; {@link JobAdmin} says what each does. */
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
   * @param cursor empty for the first page, then the last page's own
   */
  JobOperations.Page list(Optional<Operation> only, Set<JobState> states, String cursor, int limit);

  /** How many dead letters {@link #retryAll} would give back. */
  default long dead(Optional<Operation> only) {
    return counts().entrySet().stream()
        .filter(each -> only.isEmpty() || only.get().equals(each.getKey()))
        .mapToLong(each -> each.getValue().dead())
        .sum();
  }

  /** Gives one dead letter back; false: there is none. */
  boolean retry(Key key);

  /** What a job is made of; for those who may change it. Empty: there is none. */
  Optional<Job> read(Key key);

  /**
   * Gives one dead letter back with another payload. Its key, headers and fingerprint stay: who
   * asks for it again still meets it. The new payload takes the old one's place in one step, which
   * only one that failed too often lets happen.
   *
   * @return false: there is no such dead letter
   * @throws EditConflict it failed for good, or is in doubt: its key is kept, and what others are
   *     told of it must stay true
   */
  boolean retry(Key key, byte[] payload);

  /**
   * The same as {@link #retry(Key)} for all of one queue, or of all.
   *
   * @param progress told how many so far, where that is known
   * @return how many went
   */
  long retryAll(Optional<Operation> only, LongConsumer progress);
}

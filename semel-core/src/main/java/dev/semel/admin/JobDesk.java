package dev.semel.admin;

import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.job.JobOperations;
import dev.semel.job.JobState;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.LongConsumer;

/** What an operator sees of jobs and does to them; {@link JobAdmin} says what each does. */
public interface JobDesk {
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

  /**
   * The same for all of one queue, or of all.
   *
   * @param progress told how many so far, where that is known
   * @return how many went
   */
  long retryAll(Optional<Operation> only, LongConsumer progress);
}

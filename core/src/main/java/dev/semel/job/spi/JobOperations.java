package dev.semel.job.spi;

import dev.semel.InvalidInput;
import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.job.Job;
import dev.semel.job.JobPriority;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;

/** The job queues for operators. */
public interface JobOperations {
  int MAX_PAGE = 1000;

  /**
   * The counts of a queue.
   *
   * @param delayed how many pending jobs are not due yet
   * @param oldest how long the longest-waiting due job has been due
   */
  record Counts(
      long pending,
      long delayed,
      long processing,
      long completed,
      long failed,
      long inDoubt,
      Optional<Duration> oldest) {
    public long dead() {
      return failed + inDoubt;
    }
  }

  /**
   * A job without its payload.
   *
   * @param due when it may run, or might first have run
   * @param started when a worker took it last; empty: none has
   * @param ended when it took effect or became a dead letter
   * @param error the last failure with its stack trace; empty: there was none
   */
  record Entry(
      Key key,
      String id,
      JobState state,
      JobPriority priority,
      int payloadBytes,
      int attempts,
      Instant enqueued,
      Instant due,
      Optional<Instant> started,
      Optional<Instant> ended,
      String error) {}

  /**
   * One page of a listing.
   *
   * @param cursor for the next page; empty: there is none
   */
  record Page(List<Entry> entries, String cursor) {}

  /**
   * Selects jobs.
   *
   * @param states empty: all
   * @param key only this one
   */
  record Filter(Operation queue, Set<JobState> states, Optional<Key> key) {
    public Filter {
      states = Set.copyOf(states);
    }

    public static Filter of(Operation queue, JobState... states) {
      return new Filter(queue, Set.of(states), Optional.empty());
    }

    public static Filter of(Key key) {
      return new Filter(key.operation(), Set.of(), Optional.of(key));
    }

    /** Whether the filter selects a job with this key and state. */
    public boolean takes(Key other, JobState state) {
      return (states.isEmpty() || states.contains(state))
          && (key.isEmpty() || key.get().equals(other));
    }
  }

  /** All queues that hold something, by name. */
  SortedMap<Operation, Counts> counts();

  /** Lists each job once, as long as it stays in its state; in no defined order. */
  Page list(Filter filter, String cursor, int limit);

  Optional<Entry> find(Key key);

  /**
   * A job with its payload; it stays where it is. A completed job may have lost its payload, which
   * is then empty.
   */
  Optional<Job> read(Key key);

  /** The jobs that would be handed out next, with their payloads; they stay where they are. */
  List<Job> peek(Operation queue, int max);

  /**
   * Moves dead letters back into the queue, as new. Other jobs of the filter stay as they are.
   *
   * @return the keys of the moved jobs
   */
  List<Key> requeue(Filter filter);

  /**
   * Deletes jobs that are completed, dead or pending; never one that a worker has.
   *
   * @return how many
   */
  long purge(Filter filter);

  /** For engines: checks the size of a page. */
  static void checkPage(int limit) {
    if (limit < 1 || limit > MAX_PAGE) {
      throw new InvalidInput("a page has 1 to %d jobs, not %d".formatted(MAX_PAGE, limit));
    }
  }
}

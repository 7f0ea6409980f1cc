package dev.semel.admin;

import dev.semel.InvalidInput;
import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.admin.internal.AuditWriter;
import dev.semel.idempotency.spi.KeyEntry;
import dev.semel.idempotency.spi.RecordState;
import dev.semel.idempotency.spi.Store;
import dev.semel.internal.Ids;
import dev.semel.internal.PrintableText;
import dev.semel.job.EnqueueResult;
import dev.semel.job.Job;
import dev.semel.job.spi.JobOperations;
import dev.semel.job.spi.JobOperations.Counts;
import dev.semel.job.spi.JobOperations.Filter;
import dev.semel.job.spi.JobOperations.Page;
import dev.semel.job.spi.JobQueue;
import dev.semel.job.spi.JobState;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.LongConsumer;

/**
 * Changes jobs for an operator: their queue, and the records of their keys in the store that their
 * workers use. Safe for use by many threads.
 */
final class JobAdmin implements QueueAdmin {
  /** How many dead letters are retried and written into the event log in one batch. */
  private static final int AT_ONCE = 100;

  private static final char CURSOR_END = ':';

  private final Store store;
  private final List<JobQueue> engines;
  private final JobOperations jobs;
  private final InstantSource clock;
  private final String actor;

  /**
   * Works on one engine's queues.
   *
   * @param store where the jobs' executions are recorded
   * @param actor the operator's name; kept with every change
   */
  public JobAdmin(Store store, JobQueue queue, String actor) {
    this(store, List.of(queue), actor);
  }

  /**
   * Works on the queues of several engines.
   *
   * @param engines at least one; the clock of the first gives the time
   */
  JobAdmin(Store store, List<JobQueue> engines, String actor) {
    this.store = store;
    this.engines = List.copyOf(engines);
    this.jobs = AllJobs.of(engines.stream().map(JobQueue::operations).toList()).orElseThrow();
    this.clock = engines.getFirst()::now;
    this.actor = actor;
  }

  @Override
  public Instant now() {
    return clock.instant();
  }

  @Override
  public SortedMap<Operation, Counts> counts() {
    return jobs.counts();
  }

  @Override
  public Optional<JobOperations.Entry> find(Key key) {
    return jobs.find(key);
  }

  @Override
  public Page list(Optional<Operation> only, Set<JobState> states, String cursor, int limit) {
    JobOperations.checkPage(limit);
    List<JobOperations.Entry> entries = new ArrayList<>();
    Place from = Place.read(cursor, only);
    for (Operation each : queues(only)) {
      if (each.name().compareTo(from.queue()) < 0) {
        continue;
      }
      String next = each.name().equals(from.queue()) ? from.cursor() : "";
      do {
        if (entries.size() == limit) {
          return new Page(entries, each.name() + CURSOR_END + next);
        }
        Page page =
            jobs.list(new Filter(each, states, Optional.empty()), next, limit - entries.size());
        entries.addAll(page.entries());
        next = page.cursor();
      } while (!next.isEmpty());
    }
    return new Page(entries, "");
  }

  /**
   * Puts a dead letter back into its queue, as new, and lets it run. A record that failed for good
   * or is in doubt is released first. A record that took effect stays, and so does one with a
   * running claim: the job then ends as a duplicate. A crash in between leaves a dead letter whose
   * record is released; retry it again.
   *
   * @return false: there is no such dead letter
   */
  @Override
  public boolean retry(Key key) {
    AuditWriter audit = new AuditWriter(store, actor);
    boolean went = retry(key, audit);
    audit.write();
    return went;
  }

  @Override
  public Optional<Job> read(Key key) {
    return jobs.read(key);
  }

  /**
   * A job that gave up has released its key, unless its last worker died: then the record is
   * released first. A crash in between leaves the dead letter as it was, to be edited again.
   */
  @Override
  public boolean retry(Key key, byte[] payload) {
    Optional<JobOperations.Entry> dead = jobs.find(key).filter(each -> each.state().isDead());
    Optional<Job> kept = dead.flatMap(each -> jobs.read(key));
    if (kept.isEmpty()) {
      return false;
    }
    if (dead.get().state() == JobState.IN_DOUBT) {
      throw keyIsKept(key);
    }
    Job mended =
        kept.get()
            .withId(Ids.uuid7().toString())
            .withDelay(Duration.ZERO)
            .withPayload(payload.clone());
    AuditWriter audit = new AuditWriter(store, actor);
    if (lapsed(key) && store.catalog().forceRelease(key)) {
      audit.add("force release key", key.text());
    }
    boolean went = engineOf(key).enqueue(mended) instanceof EnqueueResult.Added;
    if (went) {
      audit.add("edit and retry job", key.text());
    }
    audit.write();
    if (!went) {
      throw keyIsKept(key);
    }
    return true;
  }

  private static EditConflict keyIsKept(Key key) {
    return new EditConflict(
        "%s failed for good or is in doubt, so its key is kept: retry it as it is, or put the new payload under another key"
            .formatted(key));
  }

  /**
   * The engine that holds this job; the first one if the job has gone meanwhile, because it is then
   * new.
   */
  private JobQueue engineOf(Key key) {
    return engines.stream()
        .filter(each -> each.operations().find(key).isPresent())
        .findFirst()
        .orElse(engines.getFirst());
  }

  private boolean lapsed(Key key) {
    return store
        .idempotency()
        .find(key)
        .filter(existing -> new KeyEntry(key, existing).leaseEnded())
        .isPresent();
  }

  /**
   * Retries all dead letters of one queue, or of all queues. A job that fails again meanwhile is
   * not retried again.
   *
   * @param progress receives the number of retried jobs so far
   * @return how many were retried
   */
  @Override
  public long retryAll(Optional<Operation> only, LongConsumer progress) {
    Instant begun = clock.instant();
    long went = 0;
    String cursor = "";
    do {
      // A retried job leaves this listing; the cursor passes the ones that were not retried.
      Page page = list(only, DEAD, cursor, AT_ONCE);
      AuditWriter audit = new AuditWriter(store, actor);
      for (JobOperations.Entry each : page.entries()) {
        boolean anew = each.ended().filter(begun::isBefore).isPresent();
        went += !anew && retry(each.key(), audit) ? 1 : 0;
      }
      audit.write();
      progress.accept(went);
      cursor = page.cursor();
    } while (!cursor.isEmpty());
    return went;
  }

  /**
   * Releases the record before it requeues the job: otherwise a fast worker would find the old
   * record.
   */
  private boolean retry(Key key, AuditWriter audit) {
    if (jobs.find(key).filter(each -> each.state().isDead()).isEmpty()) {
      return false;
    }
    boolean released = holdsBack(key) && store.catalog().forceRelease(key);
    if (released) {
      audit.add("force release key", key.text());
    }
    boolean went = !jobs.requeue(new Filter(key.operation(), DEAD, Optional.of(key))).isEmpty();
    if (went) {
      audit.add("retry job", key.text());
    }
    return went;
  }

  /** Whether only the record of a dead letter keeps it from running. */
  private boolean holdsBack(Key key) {
    return store
        .idempotency()
        .find(key)
        .map(existing -> new KeyEntry(key, existing))
        .filter(entry -> entry.leaseEnded() || entry.existing().state() == RecordState.FAILED)
        .isPresent();
  }

  private List<Operation> queues(Optional<Operation> only) {
    return only.map(List::of).orElseGet(() -> List.copyOf(jobs.counts().keySet()));
  }

  /** Where a page begins; a queue's name holds no colon. */
  private record Place(String queue, String cursor) {
    static Place read(String cursor, Optional<Operation> only) {
      if (cursor.isEmpty()) {
        return new Place("", "");
      }
      int end = cursor.indexOf(CURSOR_END);
      String name = cursor.substring(0, Math.max(0, end));
      if (end < 0 || (only.isPresent() && !only.get().name().equals(name))) {
        throw new InvalidInput(
            "%s is no cursor of this listing: begin without one"
                .formatted(PrintableText.quoted(cursor)));
      }
      return new Place(name, cursor.substring(end + 1));
    }
  }
}

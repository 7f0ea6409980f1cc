package dev.semel.job;

import dev.semel.InvalidInput;
import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.Token;
import dev.semel.job.spi.ExistingJob;
import dev.semel.job.spi.JobOperations;
import dev.semel.job.spi.JobQueue;
import dev.semel.job.spi.JobState;
import dev.semel.job.spi.ReservedJob;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A job queue in memory: for tests, and for jobs that may be lost with the process. */
public final class MemoryJobs implements JobQueue, JobOperations {
  private static final int REAPED_AT_ONCE = MAX_BATCH;

  private static final Comparator<Row> NEXT =
      Comparator.comparing((Row r) -> r.job.priority())
          .thenComparing(r -> r.due)
          .thenComparingLong(r -> r.number);

  /** One job, from when it was added until it is forgotten. */
  private static final class Row {
    final Line line;
    final long number;
    final Job job;
    final Instant enqueued;
    Instant due;
    JobState state = JobState.PENDING;
    boolean mayComeAgain;
    int attempts;
    int lost;
    @Nullable Token token;
    Instant leaseEnd = Instant.MIN;
    @Nullable Instant started;
    @Nullable Instant ended;
    Instant forgotten = Instant.MAX;
    String error = "";

    Row(Line line, long number, Job job, Instant now) {
      this.line = line;
      this.number = number;
      this.job = job;
      this.enqueued = now;
      this.due = now.plus(job.delay());
    }

    Entry entry() {
      return new Entry(
          job.key(),
          job.id(),
          state,
          job.priority(),
          job.payload().length,
          attempts,
          enqueued,
          due,
          Optional.ofNullable(started),
          Optional.ofNullable(ended),
          error);
    }
  }

  /** The jobs of one queue, and the waiting ones among them. */
  private static final class Line {
    final Map<Key, Row> records = new HashMap<>();
    final TreeSet<Row> waiting = new TreeSet<>(NEXT);
  }

  private final InstantSource clock;
  private final SortedMap<Operation, Line> lines =
      new TreeMap<>(Comparator.comparing(Operation::name));
  private long numbers;

  public MemoryJobs(InstantSource clock) {
    this.clock = clock;
  }

  @Override
  public String describe() {
    return "memory:";
  }

  @Override
  public Instant now() {
    return clock.instant();
  }

  @Override
  public synchronized List<EnqueueResult> enqueue(List<Job> jobs) {
    JobQueue.checkBatch(jobs.size());
    return jobs.stream().map(this::put).toList();
  }

  private EnqueueResult put(Job job) {
    Instant now = now();
    Line line = lines.computeIfAbsent(job.queue(), q -> new Line());
    Row there = line.records.get(job.key());
    if (there != null && there.forgotten.isAfter(now) && !there.mayComeAgain) {
      return new ExistingJob(
              there.job.id(),
              there.job.fingerprint(),
              there.state,
              there.attempts,
              Duration.between(there.enqueued, now))
          .decide(job);
    }
    wait(new Row(line, numbers++, job, now));
    return new EnqueueResult.Added();
  }

  private static void wait(Row row) {
    row.line.records.put(row.job.key(), row);
    row.line.waiting.add(row);
  }

  @Override
  public synchronized List<ReservedJob> reserve(Operation queue, int max, Duration lease) {
    JobQueue.checkReserve(max, lease);
    Instant now = now();
    Line line = lines.get(queue);
    if (line == null) {
      return List.of();
    }
    List<Row> due = line.waiting.stream().filter(r -> !r.due.isAfter(now)).limit(max).toList();
    List<ReservedJob> reserved = new ArrayList<>();
    for (Row row : due) {
      line.waiting.remove(row);
      Token token = Token.draw();
      row.state = JobState.PROCESSING;
      row.token = token;
      row.leaseEnd = now.plus(lease);
      row.started = now;
      row.attempts++;
      reserved.add(new ReservedJob(row.job, token, row.attempts, row.lost));
    }
    return reserved;
  }

  @Override
  public synchronized List<ReservedJob> extend(List<ReservedJob> held, Duration lease) {
    List<ReservedJob> lost = new ArrayList<>();
    for (ReservedJob each : held) {
      Row row = held(each);
      if (row == null || row.state != JobState.PROCESSING) {
        lost.add(each);
      } else {
        row.leaseEnd = now().plus(lease);
      }
    }
    return lost;
  }

  /** A change of a job that the worker holds. */
  private interface Step {
    void on(Row row);
  }

  /** A repeated step with the same token changes nothing. */
  private synchronized boolean end(ReservedJob held, Step step) {
    Row row = held(held);
    if (row == null) {
      return false;
    }
    if (row.state == JobState.PROCESSING) {
      step.on(row);
    }
    return true;
  }

  private @Nullable Row held(ReservedJob held) {
    Line line = lines.get(held.job().queue());
    Row row = line == null ? null : line.records.get(held.job().key());
    return row != null && held.token().equals(row.token) ? row : null;
  }

  @Override
  public boolean complete(ReservedJob held) {
    return end(
        held,
        row -> {
          row.state = JobState.COMPLETED;
          row.ended = now();
          row.error = "";
          row.forgotten = now().plus(row.job.retention());
        });
  }

  @Override
  public boolean retry(ReservedJob held, Duration pause, String error) {
    return end(
        held,
        row -> {
          row.error = JobQueue.cut(error);
          again(row, pause);
        });
  }

  @Override
  public boolean giveBack(ReservedJob held, Duration pause) {
    return end(
        held,
        row -> {
          row.attempts--;
          again(row, pause);
        });
  }

  private void again(Row row, Duration pause) {
    row.state = JobState.PENDING;
    row.due = now().plus(pause);
    row.line.waiting.add(row);
  }

  @Override
  public boolean bury(ReservedJob held, DeadLetterReason why, String error) {
    return end(
        held,
        row -> {
          row.state = why.state();
          row.mayComeAgain = !why.keepsItsKey();
          row.ended = now();
          row.error = JobQueue.cut(error);
          row.forgotten =
              now().plus(why == DeadLetterReason.FINAL ? row.job.retention() : DEAD_RETENTION);
        });
  }

  @Override
  public synchronized List<Key> reap(Operation queue) {
    Line line = lines.get(queue);
    if (line == null) {
      return List.of();
    }
    Instant now = now();
    List<Row> lost =
        line.records.values().stream()
            .filter(r -> r.state == JobState.PROCESSING && !r.leaseEnd.isAfter(now))
            .limit(REAPED_AT_ONCE)
            .toList();
    for (Row row : lost) {
      row.lost++;
      row.token = null;
      again(row, Duration.ZERO);
    }
    line.records.values().removeIf(r -> !r.forgotten.isAfter(now));
    if (line.records.isEmpty()) {
      lines.remove(queue);
    }
    return lost.stream().map(row -> row.job.key()).toList();
  }

  @Override
  public JobOperations operations() {
    return this;
  }

  @Override
  public synchronized SortedMap<Operation, Counts> counts() {
    SortedMap<Operation, Counts> all = new TreeMap<>(Comparator.comparing(Operation::name));
    lines.forEach((queue, line) -> all.put(queue, counts(line)));
    return all;
  }

  private Counts counts(Line line) {
    Instant now = now();
    Map<JobState, Long> by = new HashMap<>();
    line.records.values().stream()
        .filter(r -> r.forgotten.isAfter(now))
        .forEach(r -> by.merge(r.state, 1L, Long::sum));
    return new Counts(
        by.getOrDefault(JobState.PENDING, 0L),
        line.waiting.stream().filter(r -> r.due.isAfter(now)).count(),
        by.getOrDefault(JobState.PROCESSING, 0L),
        by.getOrDefault(JobState.COMPLETED, 0L),
        by.getOrDefault(JobState.FAILED, 0L),
        by.getOrDefault(JobState.IN_DOUBT, 0L),
        line.waiting.stream()
            .map(r -> r.due)
            .filter(due -> !due.isAfter(now))
            .min(Comparator.naturalOrder())
            .map(due -> Duration.between(due, now)));
  }

  @Override
  public synchronized Page list(Filter filter, String cursor, int limit) {
    JobOperations.checkPage(limit);
    long after = cursor.isEmpty() ? -1 : number(cursor);
    List<Row> found =
        chosen(filter).stream()
            .filter(r -> r.number > after)
            .sorted(Comparator.comparingLong(r -> r.number))
            .limit(limit + 1L)
            .toList();
    boolean more = found.size() > limit;
    List<Row> page = more ? found.subList(0, limit) : found;
    return new Page(
        page.stream().map(Row::entry).toList(), more ? Long.toString(page.getLast().number) : "");
  }

  private static long number(String cursor) {
    try {
      return Long.parseLong(cursor);
    } catch (NumberFormatException e) {
      throw new InvalidInput("this is no cursor of this listing: begin without one");
    }
  }

  private List<Row> chosen(Filter filter) {
    Instant now = now();
    Line line = lines.get(filter.queue());
    return line == null
        ? List.of()
        : line.records.values().stream()
            .filter(r -> r.forgotten.isAfter(now) && filter.takes(r.job.key(), r.state))
            .toList();
  }

  @Override
  public synchronized Optional<Entry> find(Key key) {
    return chosen(Filter.of(key)).stream().findFirst().map(Row::entry);
  }

  @Override
  public synchronized Optional<Job> read(Key key) {
    return chosen(Filter.of(key)).stream().findFirst().map(row -> row.job);
  }

  @Override
  public synchronized List<Job> peek(Operation queue, int max) {
    JobQueue.checkBatch(max);
    Line line = lines.get(queue);
    return line == null ? List.of() : line.waiting.stream().limit(max).map(r -> r.job).toList();
  }

  @Override
  public synchronized List<Key> requeue(Filter filter) {
    List<Row> dead = chosen(filter).stream().filter(r -> r.state.isDead()).toList();
    for (Row row : dead) {
      wait(new Row(row.line, numbers++, row.job.withDelay(Duration.ZERO), now()));
    }
    return dead.stream().map(row -> row.job.key()).toList();
  }

  @Override
  public synchronized long purge(Filter filter) {
    List<Row> over = chosen(filter).stream().filter(r -> r.state != JobState.PROCESSING).toList();
    for (Row row : over) {
      row.line.records.remove(row.job.key());
      row.line.waiting.remove(row);
    }
    return over.size();
  }

  @Override
  public void close() {}
}

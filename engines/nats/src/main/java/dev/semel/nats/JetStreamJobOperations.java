package dev.semel.nats;

import dev.semel.InvalidInput;
import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.StoreException;
import dev.semel.job.Job;
import dev.semel.job.JobPriority;
import dev.semel.job.spi.JobOperations;
import dev.semel.job.spi.JobQueue;
import dev.semel.job.spi.JobState;
import dev.semel.nats.JobNotes.Note;
import io.nats.client.JetStreamApiException;
import io.nats.client.api.ConsumerInfo;
import io.nats.client.api.StreamInfoOptions;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The operators' view of jobs. It reads the stream message by message, so a long listing takes
 * time. Completed jobs are gone, so they are neither counted nor listed.
 */
final class JetStreamJobOperations implements JobOperations {
  /** How many notes to read in order to distinguish waiting jobs from reserved ones. */
  private static final int MAX_NOTES = 1000;

  private static final int SWEPT_AT_ONCE = 100;

  /** The collaborators. */
  record Rooms(
      JobConsumers consumers, JobNotes notes, JobIntake intake, JobView view, ServerClock clock) {}

  private final JobStream stream;
  private final JobSubjects subjects;
  private final Rooms rooms;
  private final Duration window;
  private final Map<Operation, Long> swept = new ConcurrentHashMap<>();

  JetStreamJobOperations(JobStream stream, JobSubjects subjects, Rooms rooms, Duration window) {
    this.stream = stream;
    this.subjects = subjects;
    this.rooms = rooms;
    this.window = window;
  }

  /** Visits messages in the order of their arrival. */
  private interface Each {
    /**
     * Visits a message.
     *
     * @return whether to go on
     */
    boolean take(JobRecord found);
  }

  private void forEach(String subject, long from, Each each) {
    long at = from;
    Optional<JobRecord> found = stream.next(subject, at);
    while (found.isPresent() && each.take(found.get())) {
      at = found.get().sequence() + 1;
      found = stream.next(subject, at);
    }
  }

  @Override
  public SortedMap<Operation, Counts> counts() {
    Map<Operation, Map<String, Long>> kinds = new HashMap<>();
    try {
      stream
          .connection()
          .jetStreamManagement()
          .getStreamInfo(
              stream.name(),
              StreamInfoOptions.builder().filterSubjects(subjects.prefix() + ".>").build())
          .getStreamState()
          .getSubjectMap()
          .forEach(
              (subject, messages) -> {
                JobSubjects.Parts parts = subjects.parts(subject);
                kinds
                    .computeIfAbsent(parts.queue(), queue -> new HashMap<>())
                    .merge(parts.kind(), 1L, Long::sum);
              });
    } catch (IOException | JetStreamApiException e) {
      throw new StoreException("the stream's subjects can't be read: try again", e);
    }
    SortedMap<Operation, Counts> all = new TreeMap<>(Comparator.comparing(Operation::name));
    kinds.forEach(
        (queue, by) -> {
          Counts counts = counts(queue, by);
          if (counts.pending() + counts.processing() + counts.dead() > 0) {
            all.put(queue, counts);
          }
        });
    return all;
  }

  private Counts counts(Operation queue, Map<String, Long> by) {
    long jobs = 0;
    long out = 0;
    Optional<Instant> oldest = Optional.empty();
    for (JobPriority priority : JobPriority.values()) {
      long here = by.getOrDefault(JobSubjects.word(priority), 0L);
      if (here == 0) {
        continue;
      }
      Optional<ConsumerInfo> info = rooms.consumers().info(queue, priority);
      jobs += here;
      out += info.map(ConsumerInfo::getNumAckPending).orElse(0L);
      long next = info.map(i -> i.getDelivered().getStreamSequence()).orElse(0L) + 1;
      Optional<Instant> first =
          stream.next(subjects.any(queue, JobSubjects.word(priority)), next).map(JobRecord::due);
      oldest =
          first.isPresent() && (oldest.isEmpty() || first.get().isBefore(oldest.get()))
              ? first
              : oldest;
    }
    List<Instant> waiting = by.containsKey("note") ? waiting(queue) : List.of();
    Instant now = rooms.clock().now();
    long processing = Math.max(0, Math.min(jobs, out) - waiting.size());
    return new Counts(
        jobs - processing,
        waiting.stream().filter(until -> until.isAfter(now)).count(),
        processing,
        0,
        by.getOrDefault(JobSubjects.FAILED, 0L),
        by.getOrDefault(JobSubjects.IN_DOUBT, 0L),
        oldest.map(due -> Duration.between(due, now)).filter(age -> !age.isNegative()));
  }

  private List<Instant> waiting(Operation queue) {
    List<Instant> until = new ArrayList<>();
    int[] seen = new int[1];
    forEach(
        subjects.notes(queue),
        0,
        found -> {
          Note note = JobNotes.read(found);
          if (note.waitsUntil().isPresent() && stream.has(note.about())) {
            until.add(note.waitsUntil().get());
          }
          seen[0]++;
          return seen[0] < MAX_NOTES;
        });
    return until;
  }

  /** Whether the message stands for its key; false for leftovers of a crashed process. */
  private boolean counts(JobRecord found, JobView.Reach reach) {
    if (found.isGone() || found.isOver(rooms.clock().now(), JobQueue.DEAD_RETENTION)) {
      return false;
    }
    Key key = found.key();
    if (found.isJob() && !reach.handedOut(key.operation(), found.priority(), found.sequence())) {
      return true;
    }
    return stream
        .last(subjects.anyOf(key))
        .filter(last -> last.sequence() == found.sequence())
        .isPresent();
  }

  /** A message and its description. */
  private record Found(JobRecord record, Entry entry) {}

  private List<Found> find(Filter filter, long from, int limit) {
    List<Found> all = new ArrayList<>();
    JobView.Reach reach = rooms.view().reach();
    String subject =
        filter.key().map(subjects::anyOf).orElseGet(() -> subjects.any(filter.queue()));
    forEach(
        subject,
        from,
        found -> {
          if (counts(found, reach)) {
            Entry entry = rooms.view().entry(found, reach);
            if (filter.takes(entry.key(), entry.state())) {
              all.add(new Found(found, entry));
            }
          }
          return all.size() < limit;
        });
    return all;
  }

  @Override
  public Page list(Filter filter, String cursor, int limit) {
    JobOperations.checkPage(limit);
    List<Found> found = find(filter, cursor.isEmpty() ? 0 : number(cursor), limit + 1);
    boolean more = found.size() > limit;
    List<Found> page = more ? found.subList(0, limit) : found;
    return new Page(
        page.stream().map(Found::entry).toList(),
        more ? Long.toString(page.getLast().record().sequence() + 1) : "");
  }

  private static long number(String cursor) {
    try {
      return Long.parseUnsignedLong(cursor);
    } catch (NumberFormatException e) {
      throw new InvalidInput("this is no cursor of this listing: begin without one");
    }
  }

  @Override
  public Optional<Entry> find(Key key) {
    return find(Filter.of(key), 0, 1).stream().findFirst().map(Found::entry);
  }

  @Override
  public Optional<Job> read(Key key) {
    return find(Filter.of(key), 0, 1).stream().findFirst().map(found -> found.record().job());
  }

  @Override
  public List<Job> peek(Operation queue, int max) {
    JobQueue.checkBatch(max);
    List<Job> next = new ArrayList<>();
    JobView.Reach reach = rooms.view().reach();
    for (JobPriority priority : JobPriority.values()) {
      forEach(
          subjects.any(queue, JobSubjects.word(priority)),
          0,
          found -> {
            if (next.size() < max
                && counts(found, reach)
                && rooms.view().entry(found, reach).state() == JobState.PENDING) {
              next.add(found.job());
            }
            return next.size() < max;
          });
    }
    return next;
  }

  @Override
  public List<Key> requeue(Filter filter) {
    List<Key> went = new ArrayList<>();
    for (Found each : find(filter, 0, Integer.MAX_VALUE)) {
      if (each.entry().state().isDead() && rooms.intake().revive(each.record())) {
        went.add(each.entry().key());
      }
    }
    return went;
  }

  /** Deletes jobs. A job that a worker reserves at this moment may be deleted while it runs. */
  @Override
  public long purge(Filter filter) {
    long purged = 0;
    for (Found each : find(filter, 0, Integer.MAX_VALUE)) {
      if (each.entry().state() == JobState.PROCESSING) {
        continue;
      }
      JobRecord found = each.record();
      long about = found.isJob() ? found.sequence() : found.number(JobRecord.ABOUT);
      // The broker still knows the message's id. So this writes a tombstone that frees the key, and
      // then deletes the job.
      rooms.intake().bury(each.entry().key(), found, about);
      stream.delete(found.sequence());
      if (found.isJob()) {
        rooms.notes().forget(each.entry().key());
      }
      purged++;
    }
    return purged;
  }

  /** Deletes some leftovers: expired dead letters, tombstones, and notes without a job. */
  void sweep(Operation queue) {
    Instant now = rooms.clock().now();
    for (String kind : List.of(JobSubjects.FAILED, JobSubjects.IN_DOUBT, JobSubjects.GONE)) {
      int[] seen = new int[1];
      forEach(
          subjects.any(queue, kind),
          0,
          found -> {
            boolean over =
                found.isGone()
                    ? found.time().plus(window).isBefore(now)
                    : found.isOver(now, JobQueue.DEAD_RETENTION);
            if (over) {
              stream.delete(found.sequence());
            }
            seen[0]++;
            return over && seen[0] < SWEPT_AT_ONCE;
          });
    }
    int[] seen = new int[1];
    long[] at = {swept.getOrDefault(queue, 0L)};
    forEach(
        subjects.notes(queue),
        at[0],
        found -> {
          if (!stream.has(found.number(JobRecord.ABOUT))) {
            stream.delete(found.sequence());
          }
          at[0] = found.sequence() + 1;
          seen[0]++;
          return seen[0] < SWEPT_AT_ONCE;
        });
    swept.put(queue, seen[0] < SWEPT_AT_ONCE ? 0L : at[0]);
  }
}

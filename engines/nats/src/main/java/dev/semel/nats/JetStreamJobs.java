package dev.semel.nats;

import dev.semel.InvalidInput;
import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.StoreException;
import dev.semel.Token;
import dev.semel.job.DeadLetterReason;
import dev.semel.job.EnqueueResult;
import dev.semel.job.Job;
import dev.semel.job.JobPriority;
import dev.semel.job.spi.JobOperations;
import dev.semel.job.spi.JobQueue;
import dev.semel.job.spi.ReservedJob;
import dev.semel.nats.JobNotes.Note;
import dev.semel.nats.StreamSettings.Retention;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.impl.Headers;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A job queue on a work queue of NATS JetStream, for background work without a database. A key is
 * known while its job waits, is processed or is a dead letter. After its job took effect a key is
 * known only for the stream's duplicate window since its enqueueing, without its id and
 * fingerprint. Later the job may be enqueued again; then the execution's claim in the idempotency
 * store makes it take effect once.
 *
 * <p>The broker accepts any acknowledgement, even after the lease: the claim covers that too. Notes
 * beside a job record its failures and how often its worker was lost. After a crash between two
 * steps the job runs again; it is never lost.
 */
public final class JetStreamJobs implements JobQueue {
  public static final String DEFAULT_STREAM = "SEMEL_JOBS";
  public static final String DEFAULT_PREFIX = "semel.jobs";
  public static final Duration DEFAULT_DUPLICATE_WINDOW = Duration.ofMinutes(2);
  public static final Duration DEFAULT_LEASE = Duration.ofSeconds(60);

  /** With more than one message per subject a key could be there twice. */
  private static final long PER_SUBJECT = 1;

  /** How many jobs that are not due yet one call skips. */
  private static final int MAX_PASSED_OVER = 4 * MAX_BATCH;

  /** Leaves room within the server's limit for other headers than the failure's text. */
  private static final int HEADER_ROOM = 64 << 10;

  /** A tolerance, because clocks are compared over the network. */
  private static final Duration NEARLY_DUE = Duration.ofMillis(20);

  private final JetStreamSettings settings;
  private final NatsLink link;
  private final JobStream stream;
  private final JobSubjects subjects;
  private final ServerClock clock;
  private final JobConsumers consumers;
  private final JobNotes notes;
  private final JobIntake intake;
  private final JobHands hands;
  private final JetStreamJobOperations operations;

  private JetStreamJobs(JetStreamSettings settings, Duration lease, NatsLink link) {
    this.settings = settings;
    this.link = link;
    this.stream = new JobStream(link, settings.stream().name(), settings.publishTimeout());
    this.subjects = new JobSubjects(prefix(settings.stream()));
    this.clock = new ServerClock(stream);
    this.consumers = new JobConsumers(stream, subjects, lease, JobConsumers.PATIENCE);
    this.notes = new JobNotes(stream, subjects);
    JobView view = new JobView(consumers, notes);
    this.intake = new JobIntake(stream, subjects, clock, view);
    this.hands = new JobHands(stream, lease);
    this.operations =
        new JetStreamJobOperations(
            stream,
            subjects,
            new JetStreamJobOperations.Rooms(consumers, notes, intake, view, clock),
            settings.stream().duplicateWindow());
  }

  /** A work queue with the default name, for {@link JetStreamSettings#of}. */
  public static StreamSettings stream() {
    return stream(DEFAULT_STREAM, DEFAULT_PREFIX);
  }

  /** A work queue with another name, and with subjects that begin with the prefix. */
  public static StreamSettings stream(String name, String prefix) {
    return StreamSettings.of(name, prefix + ".>")
        .withRetention(Retention.WORK_QUEUE)
        .withDuplicateWindow(DEFAULT_DUPLICATE_WINDOW);
  }

  public static JetStreamJobs connect(JetStreamSettings settings) {
    return connect(settings, DEFAULT_LEASE);
  }

  /**
   * Connects, and creates or verifies the stream.
   *
   * @param settings with a stream as from {@link #stream()}
   * @param lease the workers' usual lease, the same in all processes: another lease costs one more
   *     message per job
   * @throws StoreException the broker is unreachable or too old, or its stream has other settings
   */
  public static JetStreamJobs connect(JetStreamSettings settings, Duration lease) {
    prefix(settings.stream());
    if (lease.toMillis() < 1) {
      throw new InvalidInput("a lease is at least a millisecond, not " + lease);
    }
    NatsLink link = NatsLink.open(settings);
    try {
      StreamCheck.ensure(link.require(), settings, PER_SUBJECT);
      return new JetStreamJobs(settings, lease, link);
    } catch (RuntimeException e) {
      link.close();
      throw e;
    }
  }

  /**
   * Connects to an existing stream to inspect jobs or retry dead letters, and creates nothing.
   * Workers use {@link #connect}, with their common lease.
   *
   * @param stream its name, such as {@link #DEFAULT_STREAM}
   * @throws InvalidInput there is no such stream, or it is not for jobs
   * @throws StoreException the broker is unreachable or too old
   */
  public static JetStreamJobs existing(String servers, String stream) {
    JetStreamSettings asked = JetStreamSettings.of(servers, stream(stream, DEFAULT_PREFIX));
    NatsLink link = NatsLink.open(asked);
    try {
      StreamSettings there = StreamCheck.settings(StreamCheck.named(link.require(), stream));
      prefix(there);
      return new JetStreamJobs(asked.withStream(there), DEFAULT_LEASE, link);
    } catch (RuntimeException e) {
      link.close();
      throw e;
    }
  }

  private static String prefix(StreamSettings stream) {
    List<String> all = stream.destinations();
    if (stream.retention() != Retention.WORK_QUEUE
        || !stream.maxAge().isZero()
        || all.size() != 1
        || !all.getFirst().endsWith(".>")) {
      throw new InvalidInput(
          "the stream %s is not for jobs: take JetStreamJobs.stream(), a work queue without a maximum age"
              .formatted(stream.name()));
    }
    return all.getFirst().substring(0, all.getFirst().length() - 2);
  }

  @Override
  public String describe() {
    return "NATS JetStream %s at %s"
        .formatted(settings.stream().name(), String.join(", ", settings.servers()));
  }

  @Override
  public Instant now() {
    return clock.now();
  }

  @Override
  public List<EnqueueResult> enqueue(List<Job> jobs) {
    JobQueue.checkBatch(jobs.size());
    return intake.enqueue(jobs);
  }

  @Override
  public List<ReservedJob> reserve(Operation queue, int max, Duration lease) {
    JobQueue.checkReserve(max, lease);
    if (!consumers.ready(queue)) {
      return List.of();
    }
    List<ReservedJob> reserved = new ArrayList<>();
    for (JobPriority priority : JobPriority.values()) {
      int passedOver = 0;
      while (reserved.size() < max && passedOver < MAX_PASSED_OVER) {
        int wanted = max - reserved.size();
        long since = System.nanoTime();
        List<io.nats.client.Message> pulled = consumers.pull(queue, priority, wanted);
        List<JobHands.Held> held = hands.take(pulled, lease, since);
        int before = reserved.size();
        for (JobHands.Held each : held) {
          ReservedJob one = reserved(each);
          if (one != null) {
            reserved.add(one);
          }
        }
        passedOver += held.size() - (reserved.size() - before);
        if (pulled.size() < wanted) {
          break;
        }
      }
    }
    return reserved;
  }

  /** The reserved job; null: it is not due yet, or it is over and only its message was left. */
  private @Nullable ReservedJob reserved(JobHands.Held held) {
    JobRecord found = held.record();
    Key key = found.key();
    Optional<Note> note = Optional.empty();
    if (held.delivered() > 1) {
      Optional<JobRecord> last = stream.last(subjects.anyOf(key));
      if (last.isPresent() && last.get().number(JobRecord.ABOUT) == found.sequence()) {
        hands.acknowledge(held); // a process began to bury it and then crashed
        return null;
      }
      note = notes.of(key, found.sequence());
    }
    Instant until = note.flatMap(Note::waitsUntil).orElseGet(found::due);
    Duration left = Duration.between(clock.now(), until);
    boolean taken = note.isPresent() && note.get().waitsUntil().isEmpty();
    if (!taken && left.compareTo(NEARLY_DUE) > 0) {
      if (note.isEmpty()) {
        Note first = new Note(found.sequence(), held.delivered(), 0, 0, Optional.of(until), "");
        notes.write(key, first, room());
      }
      hands.comeAgain(held, left);
      return null;
    }
    Note now = note.orElseGet(() -> Note.none(found.sequence())).taken(held.delivered());
    if (note.isPresent() && !taken) {
      notes.write(key, now, room()); // otherwise a listing would show it as waiting
    }
    Token token = hands.hold(held, now, note.isPresent());
    return new ReservedJob(found.job(), token, now.attempts(), now.lost());
  }

  private long room() {
    return stream.connection().getMaxPayload() - HEADER_ROOM;
  }

  @Override
  public List<ReservedJob> extend(List<ReservedJob> held, Duration lease) {
    return hands.extend(held, lease);
  }

  @Override
  public boolean complete(ReservedJob held) {
    return hands.end(
        held,
        true,
        one -> {
          hands.acknowledge(one.held());
          cleanUp(held.job().key(), one);
        });
  }

  @Override
  public boolean retry(ReservedJob held, Duration pause, String error) {
    return again(held, pause, held.attempt(), Optional.of(JobQueue.cut(error)));
  }

  @Override
  public boolean giveBack(ReservedJob held, Duration pause) {
    return again(held, pause, held.attempt() - 1, Optional.empty());
  }

  /**
   * Writes the note first: after a crash before the next step the lease ends, and the note is
   * right.
   */
  private boolean again(ReservedJob held, Duration pause, int attempts, Optional<String> error) {
    return hands.end(
        held,
        false,
        one -> {
          Note note =
              new Note(
                  one.held().record().sequence(),
                  one.held().delivered(),
                  attempts,
                  held.lost(),
                  Optional.of(clock.now().plus(pause)),
                  error.orElse(one.note().error()));
          notes.write(held.job().key(), note, room());
          hands.comeAgain(one.held(), pause);
        });
  }

  /**
   * Writes the dead letter first and acknowledges then. After a crash in between the job is
   * redelivered, and its next worker finds the dead letter and acknowledges.
   */
  @Override
  public boolean bury(ReservedJob held, DeadLetterReason why, String error) {
    return hands.end(
        held,
        false,
        one -> {
          letter(held, why, JobQueue.cut(error));
          hands.acknowledge(one.held());
          cleanUp(held.job().key(), one);
        });
  }

  /** The first half of a burial: writes the dead letter. */
  void letter(ReservedJob held, DeadLetterReason why, String error) {
    JobHands.Held raw = hands.of(held);
    Key key = held.job().key();
    long sequence = raw.record().sequence();
    Headers headers = JobRecord.headers(held.job());
    headers.put(JobRecord.BURIAL, why.name());
    headers.put(JobRecord.ABOUT, Long.toString(sequence));
    headers.put(JobRecord.ENQUEUED, Long.toString(raw.record().time().toEpochMilli()));
    headers.put(JobRecord.ATTEMPTS, Integer.toString(held.attempt()));
    headers.put(NatsMessages.MESSAGE_ID, JobSubjects.hash(key) + "." + sequence + ".dead");
    String kind = why == DeadLetterReason.IN_DOUBT ? JobSubjects.IN_DOUBT : JobSubjects.FAILED;
    byte[] body = JobRecord.withError(headers, error, held.job().payload(), room());
    stream.put(subjects.of(key, kind), headers, body);
  }

  /** Deletes notes. Notes that stay do no harm, and a later sweep deletes them. */
  private void cleanUp(Key key, JobHands.Holding over) {
    try {
      if (over.noted()) {
        notes.forget(key);
      }
      long replaced = over.held().record().number(JobRecord.REPLACES);
      if (replaced > 0) {
        stream.delete(replaced);
      }
    } catch (StoreException e) {
      return;
    }
  }

  /** Returns no keys: the broker redelivers jobs that lost their worker. */
  @Override
  public List<Key> reap(Operation queue) {
    operations.sweep(queue);
    return List.of();
  }

  @Override
  public JobOperations operations() {
    return operations;
  }

  @Override
  public List<String> hazards() {
    Connection connection = link.require();
    try {
      return JetStreamHazards.ofJobs(
          connection.jetStreamManagement().getStreamInfo(stream.name()).getConfiguration(),
          connection.getServerInfo(),
          settings.publishTimeout().multipliedBy(2));
    } catch (IOException | JetStreamApiException e) {
      throw new StoreException("the stream's settings can't be read: try again", e);
    }
  }

  @Override
  public void close() {
    link.close();
  }
}

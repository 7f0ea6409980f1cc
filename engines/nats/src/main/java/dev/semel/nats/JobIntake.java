package dev.semel.nats;

import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.job.EnqueueResult;
import dev.semel.job.Job;
import dev.semel.job.spi.ExistingJob;
import dev.semel.job.spi.JobOperations.Entry;
import dev.semel.job.spi.JobQueue;
import dev.semel.job.spi.JobState;
import dev.semel.nats.JobStream.Put;
import dev.semel.transport.PublishFailed;
import io.nats.client.Message;
import io.nats.client.impl.Headers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Enqueues jobs whose key has none. The broker refuses a second message on a subject, permanently.
 * A job of another priority has another subject, so this first searches for the key; a concurrent
 * call uses the same message id, which the broker knows for the duplicate window. A job that
 * replaces a dead letter needs a new id, which contains the dead letter's sequence: so of several
 * concurrent retries only one succeeds.
 */
final class JobIntake {
  private static final int AT_ONCE = 64;
  private static final int TRIES = 5;

  private final JobStream stream;
  private final JobSubjects subjects;
  private final ServerClock clock;
  private final JobView view;

  JobIntake(JobStream stream, JobSubjects subjects, ServerClock clock, JobView view) {
    this.stream = stream;
    this.subjects = subjects;
    this.clock = clock;
    this.view = view;
  }

  List<EnqueueResult> enqueue(List<Job> jobs) {
    List<EnqueueResult> answers = new ArrayList<>(jobs.size());
    for (int start = 0; start < jobs.size(); start += AT_ONCE) {
      answers.addAll(together(jobs.subList(start, Math.min(jobs.size(), start + AT_ONCE))));
    }
    return answers;
  }

  private List<EnqueueResult> together(List<Job> jobs) {
    List<CompletableFuture<Message>> looks =
        jobs.stream().map(job -> stream.askLast(subjects.anyOf(job.key()))).toList();
    List<Optional<JobRecord>> there = looks.stream().map(stream::read).toList();
    List<@Nullable CompletableFuture<Message>> sent = new ArrayList<>();
    for (int i = 0; i < jobs.size(); i++) {
      sent.add(makesWay(there.get(i)) ? send(jobs.get(i), there.get(i)) : null);
    }
    List<EnqueueResult> answers = new ArrayList<>();
    for (int i = 0; i < jobs.size(); i++) {
      CompletableFuture<Message> one = sent.get(i);
      answers.add(
          one == null
              ? answer(there.get(i).orElseThrow(), jobs.get(i))
              : settle(jobs.get(i), there.get(i), one));
    }
    return answers;
  }

  private boolean makesWay(Optional<JobRecord> there) {
    return there.isEmpty() || there.get().makesWay(clock.now(), JobQueue.DEAD_RETENTION);
  }

  /** Replaces a dead letter, whose original message may still exist if its worker crashed. */
  private CompletableFuture<Message> send(Job job, Optional<JobRecord> replaced) {
    Headers headers = JobRecord.headers(job);
    String id = JobSubjects.hash(job.key());
    if (replaced.isPresent()) {
      stream.delete(replaced.get().number(JobRecord.ABOUT));
      id += "." + replaced.get().sequence();
      headers.put(JobRecord.REPLACES, Long.toString(replaced.get().sequence()));
    }
    headers.put(NatsMessages.MESSAGE_ID, id);
    headers.put(NatsMessages.EXPECTED_LAST, "0");
    requireFits(headers.serializedLength() + (long) job.payload().length);
    return stream.send(subjects.job(job.key(), job.priority()), headers, job.payload());
  }

  private void requireFits(long bytes) {
    long limit = stream.connection().getMaxPayload();
    if (bytes > limit) {
      throw new PublishFailed(
          PublishFailed.Kind.REFUSED,
          "the job is %d bytes long with its headers and the server's limit (max_payload) is %d: raise it, or store the payload elsewhere and name it"
              .formatted(bytes, limit));
    }
  }

  private EnqueueResult settle(
      Job job, Optional<JobRecord> replaced, CompletableFuture<Message> sent) {
    Put put = stream.confirmed(sent);
    Optional<JobRecord> before = replaced;
    for (int attempt = 1; attempt <= TRIES; attempt++) {
      if (put instanceof Put.Stored) {
        before.ifPresent(dead -> stream.delete(dead.sequence()));
        return new EnqueueResult.Added();
      }
      Optional<JobRecord> there =
          put instanceof Put.Refused
              ? stream.last(subjects.job(job.key(), job.priority()))
              : stream.last(subjects.anyOf(job.key()));
      if (there.isPresent() && !makesWay(there)) {
        return answer(there.get(), job);
      }
      if (put instanceof Put.Known && (there.isEmpty() || sequence(there) == sequence(before))) {
        return new EnqueueResult.Duplicate(overAlready());
      }
      before = there.isPresent() ? there : stream.last(subjects.anyOf(job.key()));
      if (!makesWay(before)) {
        return answer(before.orElseThrow(), job);
      }
      put = stream.confirmed(send(job, before));
    }
    throw new StoreException(
        "the job %s changed %d times while it was put into its queue: try again"
            .formatted(job.key(), TRIES));
  }

  private static long sequence(Optional<JobRecord> there) {
    return there.map(JobRecord::sequence).orElse(0L);
  }

  /** A completed job: only its message id is still known, for a while. */
  private static EnqueueResult.Original overAlready() {
    return new EnqueueResult.Original("", JobState.COMPLETED, 0, Duration.ZERO);
  }

  private EnqueueResult answer(JobRecord there, Job job) {
    Job first = there.job();
    Entry entry = view.entry(there, view.reach());
    Duration age = Duration.between(entry.enqueued(), clock.now());
    return new ExistingJob(
            first.id(),
            first.fingerprint(),
            entry.state(),
            entry.attempts(),
            age.isNegative() ? Duration.ZERO : age)
        .decide(job);
  }

  /**
   * Enqueues a dead letter again, as new.
   *
   * @return whether it did
   */
  boolean revive(JobRecord dead) {
    Job job = dead.job().withDelay(Duration.ZERO);
    Put put = stream.confirmed(send(job, Optional.of(dead)));
    if (put instanceof Put.Refused) {
      return false; // someone enqueued the key again a moment ago
    }
    // Known: an earlier call enqueued it again, and crashed before the next line.
    stream.delete(dead.sequence());
    return true;
  }

  /** Writes a tombstone, so that the key is free at once although the broker still knows its id. */
  void bury(Key key, JobRecord over, long about) {
    Headers headers = new Headers();
    headers.put(JobRecord.KEY, NatsMessages.encode(key.text()));
    headers.put(JobRecord.ABOUT, Long.toString(about));
    headers.put(JobRecord.ENQUEUED, Long.toString(over.enqueued().toEpochMilli()));
    stream.put(subjects.of(key, JobSubjects.GONE), headers, JobStream.nothing());
  }
}

package dev.semel.job;

import dev.semel.FirstExecution;
import dev.semel.InvalidInput;
import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.Tenant;
import dev.semel.idempotency.ClaimResult;
import dev.semel.idempotency.ExecutionPolicy;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.KeyChoice;
import dev.semel.idempotency.KeyStrategy;
import dev.semel.idempotency.Maintenance;
import dev.semel.idempotency.OperationSettings;
import dev.semel.idempotency.Payload;
import dev.semel.idempotency.ProtectionMode;
import dev.semel.job.spi.JobQueue;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Adds jobs to queues, once per key, however often they are enqueued, until the job's retention
 * ended. The operators' mode, retention and key strategy for a queue take precedence over the
 * caller's. After a crash before the answer, the job may or may not be there; enqueueing the same
 * job again settles it.
 *
 * <p>Safe for use by many threads. Has no close: it owns neither the queue nor the maintenance.
 */
public final class Jobs {
  /**
   * The header with a job's other key id while one key strategy replaces another; the job must not
   * have run under that key either.
   */
  static final String OLD_ID = "semel-old-id";

  private static final Payload NOTHING = new Payload("", new byte[0]);

  private final JobQueue queue;
  private final Maintenance maintenance;
  private final Map<Operation, List<Runnable>> bells = new ConcurrentHashMap<>();

  public Jobs(JobQueue queue, Maintenance maintenance) {
    this.queue = queue;
    this.maintenance = maintenance;
  }

  public JobQueue queue() {
    return queue;
  }

  Maintenance maintenance() {
    return maintenance;
  }

  /** Adds the job, unless one with its key is there or was done. */
  public EnqueueResult enqueue(Job job) {
    return enqueue(List.of(job)).getFirst();
  }

  /**
   * Adds many jobs, each independently.
   *
   * @return the result of each, in the same order
   */
  public List<EnqueueResult> enqueue(List<Job> jobs) {
    List<Job> asSet = jobs.stream().map(this::asSet).toList();
    List<EnqueueResult> answers = queue.enqueue(asSet);
    for (int i = 0; i < answers.size(); i++) {
      report(asSet.get(i), answers.get(i));
    }
    jobs.stream().map(Job::queue).distinct().forEach(this::ring);
    return answers;
  }

  /** Adds a job for a time of day on the queue's clock; a past time is due at once. */
  public EnqueueResult enqueueAt(Job job, Instant when) {
    Duration left = Duration.between(queue.now(), when);
    return enqueue(job.withDelay(left.isNegative() ? Duration.ZERO : left));
  }

  /**
   * Adds a JSON payload with a key from its content: by the operators' strategy for the queue, else
   * by this one. If two different jobs share a short hash, the later one moves to another key.
   */
  public EnqueueResult enqueue(
      Tenant tenant, Operation operation, byte[] payload, KeyStrategy<? super byte[]> strategy) {
    OperationSettings set = maintenance.settings().of(operation);
    KeyChoice keying =
        set.strategy().isPresent()
            ? set.strategy().get().strategy().keying(payload)
            : strategy.keying(payload);
    Job job =
        Job.of(new Key(tenant, operation, keying.id()), payload)
            .withFingerprint(
                keying.fingerprints().isEmpty()
                    ? Fingerprint.NONE
                    : keying.fingerprints().getFirst());
    if (set.oldStrategy().isPresent() && Instant.now().isBefore(set.oldStrategyUntil())) {
      job = job.withHeader(OLD_ID, set.oldStrategy().get().strategy().keying(payload).id());
    }
    EnqueueResult answer = enqueue(job);
    if (answer instanceof EnqueueResult.Mismatch && !keying.collisionId().isEmpty()) {
      Key other = new Key(tenant, operation, keying.collisionId());
      maintenance.reporter().collided(job.key(), job.id(), other);
      return enqueue(job.withKey(other));
    }
    return answer;
  }

  /** Applies the operators' settings. In mode off, every job gets a key that no other job has. */
  private Job asSet(Job job) {
    OperationSettings set = maintenance.settings().of(job.queue());
    if (set.values().isEmpty()) {
      return job;
    }
    ExecutionPolicy policy =
        set.over(ExecutionPolicy.defaults().withRetention(atLeastALease(job.retention())));
    Job kept = job.withRetention(policy.retention());
    return set.mode() == ProtectionMode.OFF ? ofItsOwn(kept) : kept;
  }

  private static Duration atLeastALease(Duration retention) {
    Duration lease = ExecutionPolicy.defaults().lease();
    return retention.compareTo(lease) < 0 ? lease : retention;
  }

  private static Job ofItsOwn(Job job) {
    try {
      return job.withKey(new Key(job.key().tenant(), job.queue(), job.key().id() + "#" + job.id()));
    } catch (InvalidInput e) { // the two together are too long
      return job.withKey(new Key(job.key().tenant(), job.queue(), job.id()));
    }
  }

  private void report(Job job, EnqueueResult answer) {
    switch (answer) {
      case EnqueueResult.Added a -> {}
      case EnqueueResult.Mismatch m ->
          answered(job, new ClaimResult.Mismatch(Fingerprint.NONE, original(job, m.original())));
      case EnqueueResult.Duplicate d -> {
        FirstExecution original = original(job, d.original());
        answered(
            job,
            switch (d.original().state()) {
              case PENDING, PROCESSING -> new ClaimResult.InFlight(Duration.ZERO, original);
              case COMPLETED, FAILED -> new ClaimResult.Replay(NOTHING, original);
              case IN_DOUBT -> new ClaimResult.InDoubt(original);
            });
        if (maintenance.settings().of(job.queue()).mode() == ProtectionMode.OBSERVE) {
          queue.enqueue(ofItsOwn(job));
        }
      }
    }
  }

  private void answered(Job job, ClaimResult claim) {
    maintenance.reporter().answered(job.key(), job.id(), claim);
  }

  private static FirstExecution original(Job job, EnqueueResult.Original first) {
    return new FirstExecution(first.id(), first.attempts(), first.age(), job.retention());
  }

  /** Wakes workers of this process, because there may be a job. */
  private void ring(Operation operation) {
    bells.getOrDefault(operation, List.of()).forEach(Runnable::run);
  }

  void onEnqueued(Operation operation, Runnable bell) {
    bells.computeIfAbsent(operation, o -> new CopyOnWriteArrayList<>()).add(bell);
  }

  void forget(Operation operation, Runnable bell) {
    bells.getOrDefault(operation, List.of()).remove(bell);
  }
}

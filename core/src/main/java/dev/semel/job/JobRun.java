package dev.semel.job;

import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.event.Event;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.EffectUnknown;
import dev.semel.idempotency.ExecutionRequest;
import dev.semel.idempotency.GuardedExecutor;
import dev.semel.idempotency.Outcome;
import dev.semel.idempotency.internal.NeverFinal;
import dev.semel.internal.PrintableText;
import dev.semel.job.spi.JobQueue;
import dev.semel.job.spi.ReservedJob;
import dev.semel.log.internal.Log;
import dev.semel.loop.Platform;
import dev.semel.loop.internal.Backoff;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Runs one job of a worker to its end: executes it, then reports the result to the queue. */
final class JobRun {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);
  private static final byte[] NOTHING = {};
  private static final Log LOG = Log.of("job", 10);

  private final Platform platform;
  private final Jobs jobs;
  private final JobQueue queue;
  private final GuardedExecutor once;
  private final JobHandler handler;
  private final ProcessorSettings settings;
  private final QueueBreaker breaker;
  private final LongAdder executed = new LongAdder();
  private final LongAdder duplicates = new LongAdder();
  private final LongAdder retried = new LongAdder();
  private final LongAdder givenBack = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final LongAdder inDoubt = new LongAdder();

  JobRun(Platform platform, Jobs jobs, JobWork work, QueueBreaker breaker) {
    this.platform = platform;
    this.jobs = jobs;
    this.queue = jobs.queue();
    this.once = work.once();
    this.handler = work.handler();
    this.settings = work.settings();
    this.breaker = breaker;
  }

  /**
   * The job's workers died too often, so it must not run any more. Thrown inside the execution,
   * because the record may know that the last worker had completed it.
   */
  private static final class WorkersLost extends RuntimeException implements NeverFinal {
    private static final long serialVersionUID = 1L;

    WorkersLost() {
      super("the job was handed out too often", null, false, false);
    }
  }

  ProcessorCounts counts() {
    return new ProcessorCounts(
        executed.sum(),
        duplicates.sum(),
        retried.sum(),
        givenBack.sum(),
        failed.sum(),
        inDoubt.sum(),
        0,
        false);
  }

  void run(ReservedJob reserved, int maxAttempts) {
    AtomicBoolean began = new AtomicBoolean();
    try {
      settle(
          reserved,
          once.execute(
              request(reserved.job()),
              execution -> {
                if (reserved.attempt() > maxAttempts) {
                  throw new WorkersLost();
                }
                began.set(true);
                handler.handle(reserved.job(), execution);
                return NOTHING;
              }));
    } catch (WorkersLost e) {
      bury(
          reserved,
          DeadLetterReason.GAVE_UP,
          "it was handed out %d times, and %d workers were never heard of again"
              .formatted(reserved.attempt() - 1, reserved.lost()));
    } catch (EffectUnknown e) {
      bury(reserved, DeadLetterReason.IN_DOUBT, FailureTrace.of(e));
    } catch (StoreException e) {
      if (began.get()) {
        failed(reserved, maxAttempts, e);
      } else { // nothing ran, so it is no attempt
        giveBack(reserved, settings.firstPause());
      }
    } catch (Throwable e) { // an Error too: else the job would stay with this worker
      failed(reserved, maxAttempts, e);
    }
  }

  private ExecutionRequest<byte[]> request(Job job) {
    ExecutionRequest<byte[]> request =
        ExecutionRequest.of(job.key(), Codec.bytes())
            .withFingerprint(job.fingerprint())
            .withRequestId(job.id())
            .withPolicy(settings.policy().withRetention(retention(job)));
    String oldId = job.headers().getOrDefault(Jobs.OLD_ID, "");
    return oldId.isEmpty() || oldId.equals(job.key().id())
        ? request
        : request.withAlso(
            ExecutionRequest.of(new Key(job.key().tenant(), job.queue(), oldId), Codec.bytes())
                .withRequestId(job.id())
                .withPolicy(request.policy()));
  }

  /** A record that ended before its lease could let a second worker in unnoticed. */
  private Duration retention(Job job) {
    Duration lease = settings.policy().lease();
    return job.retention().compareTo(lease) < 0 ? lease : job.retention();
  }

  private void settle(ReservedJob reserved, Outcome<byte[]> outcome) {
    switch (outcome) {
      // Also if its record could not be written: the effect happened, and events say so.
      case Outcome.Executed<byte[]> e -> {
        executed.increment();
        breaker.succeeded();
        say(() -> queue.complete(reserved));
      }
      case Outcome.Replayed<byte[]> r -> {
        duplicates.increment();
        say(() -> queue.complete(reserved));
      }
      case Outcome.InFlight<byte[]> f -> giveBack(reserved, f.left());
      case Outcome.Mismatch<byte[]> m ->
          bury(reserved, DeadLetterReason.FINAL, "its key belongs to another job: " + m.original());
      case Outcome.Failed<byte[]> f ->
          bury(
              reserved,
              DeadLetterReason.FINAL,
              f.cause()
                  .map(FailureTrace::of)
                  .orElse(f.failure().kind() + ": " + f.failure().message()));
      case Outcome.InDoubt<byte[]> d ->
          bury(
              reserved,
              DeadLetterReason.IN_DOUBT,
              "attempt %d began %s ago and was never heard of again"
                  .formatted(d.original().attempt(), d.original().age()));
    }
  }

  private void failed(ReservedJob reserved, int maxAttempts, Throwable failure) {
    breaker.failed(FailureTrace.brief(failure));
    log(reserved, "attempt %d of %d failed".formatted(reserved.attempt(), maxAttempts), failure);
    if (reserved.attempt() >= maxAttempts) {
      bury(reserved, DeadLetterReason.GAVE_UP, FailureTrace.of(failure));
      return;
    }
    Duration pause = pause(reserved.attempt());
    retried.increment();
    jobs.maintenance()
        .listener()
        .on(
            new Event.JobRetried(
                reserved.job().key(),
                reserved.job().id(),
                reserved.attempt(),
                pause,
                FailureTrace.brief(failure)));
    say(() -> queue.retry(reserved, pause, FailureTrace.of(failure)));
  }

  /** Where the operation masks ids, logs neither the key nor the failure's message. */
  private void log(ReservedJob reserved, String what, @Nullable Throwable failure) {
    Key key = reserved.job().key();
    boolean masked = jobs.maintenance().settings().of(key.operation()).maskIds();
    String subject = key.operation().name() + (failure == null ? " dead" : " failed");
    String text =
        masked
            ? "a job of %s: %s".formatted(key.operation(), what)
            : "job %s: %s".formatted(key, what);
    if (failure == null) {
      LOG.warn(subject, text);
    } else if (masked) {
      LOG.warn(subject, text + ": " + failure.getClass().getName());
    } else {
      boolean unused = LOG.warn(subject, text, failure);
    }
  }

  private Duration pause(int attempt) {
    return Backoff.pause(settings.firstPause(), settings.longestPause(), attempt, platform::random);
  }

  private void giveBack(ReservedJob reserved, Duration pause) {
    givenBack.increment();
    say(() -> queue.giveBack(reserved, pause));
  }

  private void bury(ReservedJob reserved, DeadLetterReason why, String error) {
    (why == DeadLetterReason.IN_DOUBT ? inDoubt : failed).increment();
    log(
        reserved,
        "it is a dead letter (%s) after attempt %d; what to do: docs/runbooks/dead-letters.md"
            .formatted(PrintableText.word(why), reserved.attempt()),
        null);
    jobs.maintenance()
        .listener()
        .on(
            new Event.JobBuried(
                reserved.job().key(),
                reserved.job().id(),
                reserved.attempt(),
                Event.JobBuried.Grave.valueOf(why.name()),
                error.lines().findFirst().orElse("")));
    say(() -> queue.bury(reserved, why, error));
  }

  /**
   * Retries until the queue has the result, or the job's lease ended. The worker that then takes
   * the job finds in its record how it ended.
   */
  private void say(Runnable step) {
    Backoff backoff = new Backoff(platform, FIRST_PAUSE, LONGEST_PAUSE);
    long deadline = platform.nanos() + settings.lease().toNanos();
    do {
      try {
        step.run(); // refused if another worker has it
        return;
      } catch (StoreException e) { // retry: the step is idempotent
        boolean unused = LOG.warn("queue", "the queue could not be told how a job ended", e);
      }
    } while (backoff.pauseUntil(deadline));
  }
}

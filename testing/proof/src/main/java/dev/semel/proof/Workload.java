package dev.semel.proof;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.idempotency.Execution;
import dev.semel.proof.history.RecordedAnswer;
import dev.semel.proof.history.RecordedExecutions.WorkFailed;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A worker's steps: mostly it executes a key that others ask for too, often at the same moment,
 * with work that is quick, or outlasts a renewal, or fails before its effect; sometimes it uses a
 * token that holds nothing. Safe for many threads.
 */
final class Workload {
  private static final double SLOW = 0.15;
  private static final double FAILING = 0.08;
  private static final double ADVERSARIAL = 0.1;

  /** The share of executions that meet others. */
  private static final double TOGETHER = 0.25;

  private static final Duration QUICK_AT_MOST = Duration.ofMillis(3);

  /** Longer than the first renewal, which comes at 7/10 of the lease. */
  private static final Duration SLOW_AT_LEAST = ProofPlan.LEASE.multipliedBy(8).dividedBy(10);

  /** Others ask meanwhile, at a time when the lease would be over without renewal. */
  private static final Duration SLOW_AT_MOST = ProofPlan.LEASE.multipliedBy(24).dividedBy(10);

  private final RecordingExecutor asker;
  private final String client;
  private final Adversary adversary;
  private final AtomicLong executions = new AtomicLong();
  private final AtomicLong values = new AtomicLong();

  Workload(RecordingExecutor asker, String client) {
    this.asker = asker;
    this.client = client;
    this.adversary = new Adversary(asker.records());
  }

  /** How often a key was asked for so far. */
  long executions() {
    return executions.get();
  }

  void step(RandomGenerator random) {
    if (random.nextDouble() < ADVERSARIAL) {
      adversary.step(asker.keys().draw(random, System.nanoTime()), random);
      return;
    }
    Key key =
        random.nextDouble() < TOGETHER ? meet() : asker.keys().draw(random, System.nanoTime());
    Attempt attempt = new Attempt(random);
    RecordedAnswer answer = asker.ask(key, attempt::run);
    executions.incrementAndGet();
    attempt.remember(key, answer);
  }

  /** Waits for a new key, so that several workers ask for it at the same moment. */
  private Key meet() {
    RunKeys.Meeting meeting = asker.keys().next(System.nanoTime());
    pauseUntil(meeting.atNanos());
    return meeting.key();
  }

  /** One execution's work, and its result. */
  private final class Attempt {
    private final RandomGenerator random;
    private @Nullable Token token;
    private boolean takenOver;
    private String value = "";

    Attempt(RandomGenerator random) {
      this.random = random;
    }

    String run(Execution execution) throws WorkFailed {
      token = execution.token();
      takenOver = execution.takenOver();
      double kind = random.nextDouble();
      if (kind < FAILING) {
        throw new WorkFailed();
      }
      if (kind < FAILING + SLOW) {
        pause(between(SLOW_AT_LEAST, SLOW_AT_MOST));
      } else {
        pause(between(Duration.ZERO, QUICK_AT_MOST));
      }
      value = client + "-" + values.incrementAndGet();
      asker.recorder().effect(execution.key(), execution.attempt(), execution.takenOver(), value);
      return value;
    }

    private Duration between(Duration least, Duration most) {
      return Duration.ofNanos(random.nextLong(least.toNanos(), most.toNanos()));
    }

    void remember(Key key, RecordedAnswer answer) {
      if (token != null) {
        adversary.remember(new Adversary.Past(key, token, value, takenOver, answer.kind()));
      }
    }
  }

  private static void pause(Duration length) {
    pauseUntil(System.nanoTime() + length.toNanos());
  }

  private static void pauseUntil(long nanos) {
    for (long left = nanos - System.nanoTime(); left > 0; left = nanos - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }
}

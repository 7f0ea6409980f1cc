package dev.semel.proof;

import dev.semel.InvalidInput;
import dev.semel.proof.fault.ProcessFault;
import java.time.Duration;
import java.util.List;

/**
 * The plan of a run.
 *
 * @param length how long workers make calls; opening, last questions and judgement come on top
 * @param faults that may happen; the seed decides their order
 * @param seed of all random choices; two runs with one seed differ only by the machine's timing
 * @param keep whether the run's keys stay in the store
 */
public record ProofPlan(
    Duration length, List<ProcessFault> faults, int workers, long seed, boolean keep) {
  /** Short, so that a frozen worker loses its keys during the run. */
  public static final Duration LEASE = Duration.ofMillis(600);

  /** How far a store's clock may differ from ours, in addition to the length of a call. */
  public static final Duration TOLERANCE = Duration.ofMillis(100);

  public static final Duration LONGEST = Duration.ofHours(1);
  public static final int MAX_WORKERS = 16;

  /**
   * The most executions in a history, so that a small process can judge it: some hundred megabytes.
   */
  static final int MAX_EXECUTIONS = 80_000;

  /**
   * The limit for all workers together; lower in a run so long that it would reach {@link
   * #MAX_EXECUTIONS}.
   */
  static final int MAX_EXECUTIONS_PER_SECOND = 540;

  static final int ASKS_PER_KEY = 9;

  public ProofPlan {
    faults = List.copyOf(faults);
    if (length.compareTo(Duration.ofSeconds(1)) < 0 || length.compareTo(LONGEST) > 0) {
      throw new InvalidInput(
          "a proof takes 1 to %d seconds, not %d"
              .formatted(LONGEST.toSeconds(), length.toSeconds()));
    }
    if (workers < 1 || workers > MAX_WORKERS) {
      throw new InvalidInput("a proof has 1 to %d workers, not %d".formatted(MAX_WORKERS, workers));
    }
  }

  private int executionsPerSecond() {
    return Math.clamp(MAX_EXECUTIONS / length.toSeconds(), ASKS_PER_KEY, MAX_EXECUTIONS_PER_SECOND);
  }

  int perWorker() {
    return Math.max(1, executionsPerSecond() / workers);
  }

  RunKeys keys(String run, long beganNanos) {
    return new RunKeys(run, beganNanos, keysPerSecond());
  }

  int keysPerSecond() {
    return Math.max(1, executionsPerSecond() / ASKS_PER_KEY);
  }

  /** The seed of a worker, far enough from others that no two threads use the same one. */
  public long seedOf(int worker) {
    return seed + 1000L * (worker + 1);
  }
}

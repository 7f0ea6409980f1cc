package dev.semel.proof;

import dev.semel.InvalidInput;
import dev.semel.proof.fault.ProcessFault;
import java.time.Duration;
import java.util.List;

/**
 * What a run is to do.
 *
 * @param length how long workers ask; opening, the last questions and the judgement come on top
 * @param faults that may happen, in whatever order the seed gives
 * @param seed of all that is drawn; two runs with one seed differ only by the machine's timing
 * @param keep the keys of the run stay in the store
 */
public record ProofPlan(
    Duration length, List<ProcessFault> faults, int workers, long seed, boolean keep) {
  /** Short, so that a stopped worker loses its keys during the run. */
  public static final Duration LEASE = Duration.ofMillis(600);

  /** How far a store's clock may run beside ours, with the length of a call on top. */
  public static final Duration TOLERANCE = Duration.ofMillis(100);

  public static final Duration LONGEST = Duration.ofHours(1);
  public static final int MAX_WORKERS = 16;

  /** What a history may hold so that a small process can judge it: some hundred megabytes. */
  static final int MAX_EXECUTIONS = 80_000;

  /** By all workers together, and less in a run so long that it would pass the limit. */
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

  /** Far enough apart that no two threads draw the same. */
  public long seedOf(int worker) {
    return seed + 1000L * (worker + 1);
  }
}

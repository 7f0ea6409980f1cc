package dev.semel.proof;

import dev.semel.loop.internal.Loop;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The threads of one worker; each makes a step and then rests. */
final class WorkerThreads implements AutoCloseable {
  /** Many, because some of them are always doing slow work. */
  static final int THREADS = 16;

  private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
  private final List<Loop> loops;
  private volatile boolean ending;

  /**
   * Starts the threads.
   *
   * @param perSecond the most steps per second of all threads together
   */
  WorkerThreads(Workload workload, int perSecond, long seed) {
    Duration rest = Duration.ofSeconds(THREADS).dividedBy(Math.max(1, perSecond));
    this.loops =
        IntStream.range(0, THREADS)
            .mapToObj(i -> start(workload, new Random(seed + i), rest))
            .toList();
  }

  private Loop start(Workload workload, RandomGenerator random, Duration rest) {
    return Loop.start(
        "semel-prove",
        () -> {
          if (!ending) {
            workload.step(random);
          }
          return false;
        },
        rest,
        e -> failure.compareAndSet(null, e));
  }

  /** Stops new steps from beginning. */
  void end() {
    ending = true;
  }

  /**
   * Lets the steps in progress finish.
   *
   * @throws IllegalStateException when a step failed in a way that no fault explains
   */
  @Override
  public void close() {
    end(); // all at once, because each may take a while to finish
    loops.forEach(Loop::close);
    Exception first = failure.get();
    if (first != null) {
      throw new IllegalStateException("a worker failed: " + first, first);
    }
  }
}

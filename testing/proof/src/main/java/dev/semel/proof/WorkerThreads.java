package dev.semel.proof;

import dev.semel.loop.internal.Loop;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The threads of one worker, each of which takes a step and rests. */
final class WorkerThreads implements AutoCloseable {
  /** Many, because some of them are always at slow work. */
  static final int THREADS = 16;

  private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
  private final List<Loop> loops;
  private volatile boolean ending;

  /**
   * Starts at once.
   *
   * @param perSecond how many steps a second all threads of this worker take at most
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

  /** No step begins from now on. */
  void end() {
    ending = true;
  }

  /**
   * Lets the steps in progress finish.
   *
   * @throws IllegalStateException when one of them failed in a way that no fault explains
   */
  @Override
  public void close() {
    end(); // all at once: each may take a while to finish
    loops.forEach(Loop::close);
    Exception first = failure.get();
    if (first != null) {
      throw new IllegalStateException("a worker failed: " + first, first);
    }
  }
}

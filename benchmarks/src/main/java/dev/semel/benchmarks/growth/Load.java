package dev.semel.benchmarks.growth;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Runs a number of workers for a while, and times each of their steps. */
public final class Load {
  private static final int FIRST_ROOM = 1 << 12;

  private final ThreadFactory factory;
  private final Duration time;
  private final LongSupplier service;

  /** Counts on over all runs, so that no number is used twice. */
  private final AtomicLong numbers = new AtomicLong();

  /**
   * @param service the service's processor time so far, in nanoseconds
   */
  public Load(ThreadFactory factory, Duration time, LongSupplier service) {
    this.factory = factory;
    this.time = time;
    this.service = service;
  }

  /** One unit of work. The number is different in every call. */
  @FunctionalInterface
  public interface Step {
    void once(long number) throws Exception;
  }

  /**
   * The result of a run.
   *
   * @param rate steps per second
   * @param p50 of a step, in microseconds
   * @param here this process's processor time per step, in microseconds
   * @param there the service's processor time per step, in microseconds
   */
  public record Seen(double rate, double p50, double p99, double here, double there) {}

  /** The times of one worker's steps. */
  private static final class Times {
    private long[] nanos = new long[FIRST_ROOM];
    private int count;

    void add(long each) {
      if (count == nanos.length) {
        nanos = Arrays.copyOf(nanos, 2 * count);
      }
      nanos[count++] = each;
    }
  }

  /** Runs once to warm up the compiler, and once to measure. */
  public Seen warmAndRun(int workers, Step step) throws Exception {
    run(workers, step);
    return run(workers, step);
  }

  public Seen run(int workers, Step step) throws Exception {
    Times[] times = new Times[workers];
    AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
    Thread[] threads = new Thread[workers];
    long here = processorNanos();
    long there = service.getAsLong();
    long started = System.nanoTime();
    long end = started + time.toNanos();
    for (int t = 0; t < workers; t++) {
      Times mine = new Times();
      times[t] = mine;
      threads[t] =
          factory.newThread(
              () -> {
                try {
                  work(step, mine, end);
                } catch (Exception e) {
                  failure.compareAndSet(null, e);
                }
              });
      threads[t].start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    Exception failed = failure.get();
    if (failed != null) {
      throw failed;
    }
    return seen(
        times, System.nanoTime() - started, processorNanos() - here, service.getAsLong() - there);
  }

  private void work(Step step, Times mine, long end) throws Exception {
    for (long now = System.nanoTime(); now < end; ) {
      step.once(numbers.incrementAndGet());
      long then = System.nanoTime();
      mine.add(then - now);
      now = then;
    }
  }

  private static Seen seen(Times[] times, long nanos, long here, long there) {
    long[] all =
        Arrays.stream(times).flatMapToLong(t -> Arrays.stream(t.nanos, 0, t.count)).toArray();
    Arrays.sort(all);
    double done = Math.max(1, all.length);
    return new Seen(
        done * 1e9 / nanos, part(all, 0.5), part(all, 0.99), here / 1e3 / done, there / 1e3 / done);
  }

  /** A percentile of sorted nanoseconds, in microseconds. */
  public static double part(long[] sorted, double share) {
    return sorted.length == 0
        ? 0
        : sorted[Math.min(sorted.length - 1, (int) (share * sorted.length))] / 1e3;
  }

  private static long processorNanos() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
  }

  /**
   * The processor time of a process and its children; processes that ended in between are missed.
   */
  public static LongSupplier of(ProcessHandle process) {
    return () ->
        Stream.concat(Stream.of(process), process.descendants())
            .mapToLong(each -> each.info().totalCpuDuration().map(Duration::toNanos).orElse(0L))
            .sum();
  }
}

package dev.semel.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Runs our code and a limit in turns under the same load, and compares their medians. */
final class Race {
  private static final int USUAL_ROUNDS = 5;
  private static final int SHORT_ROUNDS = 21;

  private final int threads;
  private final ThreadFactory factory;
  private final Duration round;
  private final int rounds;
  private final Findings findings;

  /** Counts on over all races, so that no key is used twice. */
  private final AtomicLong numbers = new AtomicLong();

  Race(int threads, ThreadFactory factory, Duration round, Findings findings) {
    this(threads, factory, round, USUAL_ROUNDS, findings);
  }

  private Race(int threads, ThreadFactory factory, Duration round, int rounds, Findings findings) {
    this.threads = threads;
    this.factory = factory;
    this.round = round;
    this.rounds = rounds;
    this.findings = findings;
  }

  /**
   * A race with more and shorter rounds, for differences that would drown in the machine's noise.
   */
  Race inShortRounds() {
    return new Race(threads, factory, Duration.ofSeconds(1), SHORT_ROUNDS, findings);
  }

  /** One unit of work. The number is different in every call of a contender. */
  interface Contender {
    void once(long number) throws Exception;
  }

  /**
   * Compares ours with a limit, which can't be beaten by much.
   *
   * @param goal the smallest acceptable ratio of ours to the limit
   */
  void run(String title, Contender ours, String limitName, Contender limit, double goal)
      throws Exception {
    new Rounds(findings, rounds)
        .limit(title, () -> measure(ours), limitName, () -> measure(limit), goal);
  }

  /** Compares ours with a peer: another solution of the same problem. */
  void peer(String title, Contender ours, String peerName, Contender peer, double goal)
      throws Exception {
    new Rounds(findings, rounds)
        .peer(title, () -> measure(ours), peerName, () -> measure(peer), goal);
  }

  /**
   * Compares the processor time of an operation, here and in the service: other load on the machine
   * changes that far less than the speed.
   *
   * @param service the service's processor time so far, in nanoseconds
   */
  void cost(String title, Contender ours, Contender limit, LongSupplier service) throws Exception {
    double[] mine = new double[2];
    double[] limits = new double[2];
    int counted = findings.pace().rounds(rounds);
    for (int i = -2; i < 2 * counted; i++) {
      boolean me = i % 2 == 0;
      long here = processorNanos();
      long there = service.getAsLong();
      long done = count(me ? ours : limit);
      double[] to = me ? mine : limits;
      if (i >= 0) { // earlier rounds warm up the compiler
        to[0] += (processorNanos() - here) / 1e3 / done / counted;
        to[1] += (service.getAsLong() - there) / 1e3 / done / counted;
      }
    }
    findings.add(Figure.beside(title, mine[0] + mine[1], "µs", "limit", limits[0] + limits[1]));
    findings.say(
        "here %.1f + in the service %.1f µs, limit %.1f + %.1f",
        mine[0], mine[1], limits[0], limits[1]);
  }

  private static long processorNanos() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
  }

  /** Operations per second in one round. */
  private double measure(Contender contender) throws Exception {
    long started = System.nanoTime();
    return count(contender) * 1e9 / (System.nanoTime() - started);
  }

  /** Operations in one round. */
  private long count(Contender contender) throws Exception {
    long[] done = new long[threads];
    AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
    long end = System.nanoTime() + findings.pace().round(round).toNanos();
    Thread[] workers = new Thread[threads];
    for (int t = 0; t < threads; t++) {
      int me = t;
      workers[t] =
          factory.newThread(
              () -> {
                try {
                  long count = 0;
                  while (System.nanoTime() < end) {
                    contender.once(numbers.incrementAndGet());
                    count++;
                  }
                  done[me] = count;
                } catch (Exception e) {
                  failure.compareAndSet(null, e);
                }
              });
      workers[t].start();
    }
    for (Thread worker : workers) {
      worker.join();
    }
    Exception failed = failure.get();
    if (failed != null) {
      throw failed;
    }
    return Arrays.stream(done).sum();
  }
}

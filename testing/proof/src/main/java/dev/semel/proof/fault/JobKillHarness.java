package dev.semel.proof.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.Tenant;
import dev.semel.job.EnqueueResult;
import dev.semel.job.ExactlyOnceProcessor;
import dev.semel.job.Job;
import dev.semel.job.Jobs;
import dev.semel.job.ProcessorSettings;
import dev.semel.job.spi.JobOperations.Counts;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Kills and freezes worker processes while jobs, and many duplicates of them, are enqueued. Checks
 * that every key takes effect, and that every second effect was reported.
 */
public final class JobKillHarness {
  public static final Operation QUEUE = new Operation("charges");

  /** The lease of jobs and executions. */
  public static final Duration LEASE = Duration.ofSeconds(1);

  private static final Duration PATIENCE = Duration.ofMinutes(10);
  private static final Duration LOOK = Duration.ofMillis(10);
  private static final int AT_ONCE = 100;

  private JobKillHarness() {}

  /**
   * The plan of a run.
   *
   * @param duplicates in percent of all enqueued jobs
   * @param workers the number of processes
   * @param troubles the number of faults
   */
  public record Plan(int asked, int duplicates, int workers, int troubles, long seed) {
    /** A small run for the gate. */
    public static final Plan GATE = new Plan(5_000, 30, 2, 6, 17);

    /** A run for slower engines. */
    public static Plan few(long seed) {
      return new Plan(10_000, 30, 3, 18, seed);
    }

    public static Plan proof(int asked, long seed) {
      return new Plan(asked, 30, 5, asked / 2_500, seed);
    }

    /** The figures that a test publishes. */
    public Map<String, String> figures() {
      int stops = troubles / 3;
      return Map.of(
          "seed",
          "" + seed,
          "jobs",
          "" + asked,
          "kills",
          "" + (troubles - stops),
          "stops",
          "" + stops);
    }
  }

  /** A worker's {@code main}: runs jobs until its input ends. */
  public static void work(JobWorld world) throws IOException {
    Jobs jobs = new Jobs(world.queue(), world.maintenance());
    ProcessorSettings settings =
        ProcessorSettings.defaults()
            .withLease(LEASE)
            .withWorkers(8)
            .withRetries(1000, Duration.ofMillis(10), Duration.ofMillis(200))
            .withPoll(Duration.ofMillis(20));
    try (world;
        ExactlyOnceProcessor processor =
            ExactlyOnceProcessor.start(jobs, world.once(), QUEUE, world::effect, settings)) {
      while (System.in.read() >= 0) {}
      System.out.println(processor.counts());
    }
  }

  /**
   * Runs the plan, checks it, and prints a summary.
   *
   * @param main a worker's main class; gets {@code arguments}
   * @param onceOnly whether the ledger records each effect only once, or in the execution's
   *     transaction: then there is no second effect, reported or not
   */
  public static void run(
      Plan plan,
      JobWorld world,
      Class<?> main,
      Path folder,
      boolean onceOnly,
      String... arguments) {
    Random random = new Random(plan.seed());
    List<ChildJvm> workers = new ArrayList<>();
    for (int i = 0; i < plan.workers(); i++) {
      workers.add(ChildJvm.start(main, folder.resolve("worker" + i + ".log"), arguments));
    }
    try {
      Set<Key> keys = new HashSet<>();
      int blocked = ask(plan, world, random, keys);
      int[] troubles = trouble(plan, world, workers, keys.size(), random);
      until(() -> isEmpty(world.queue().operations().counts().get(QUEUE)));
      List<EffectLog.Line> effects = world.effects();
      int second = judge(plan, keys, effects, onceOnly);
      workers.forEach(ChildJvm::close); // prints the workers' output before the summary
      System.out.printf(
          "%,d jobs asked for, %,d keys, %,d duplicates blocked; %d workers killed %d and stopped"
              + " %d times: %,d effects, every key once%s%s (seed %d)%n",
          plan.asked(),
          keys.size(),
          blocked,
          plan.workers(),
          troubles[0],
          troubles[1],
          effects.size(),
          onceOnly ? "" : ", but for %d reported takeovers".formatted(second),
          world.remark(),
          plan.seed());
    } finally {
      workers.forEach(ChildJvm::close);
    }
  }

  private static boolean isEmpty(@Nullable Counts counts) {
    if (counts == null) {
      return true;
    }
    assertThat(counts.dead()).as("dead letters").isZero();
    return counts.pending() == 0 && counts.processing() == 0;
  }

  /**
   * Enqueues jobs.
   *
   * @return how many the queue refused as duplicates; a queue that forgets completed jobs lets some
   *     pass
   */
  private static int ask(Plan plan, JobWorld world, Random random, Set<Key> keys) {
    Jobs jobs = new Jobs(world.queue(), world.maintenance());
    List<Key> known = new ArrayList<>();
    int blocked = 0;
    List<Job> batch = new ArrayList<>();
    for (int i = 0; i < plan.asked(); i++) {
      Key key;
      if (!known.isEmpty() && random.nextInt(100) < plan.duplicates()) {
        key = known.get(random.nextInt(known.size()));
      } else {
        key = new Key(Tenant.DEFAULT, QUEUE, "order-" + i);
        known.add(key);
        keys.add(key);
      }
      batch.add(Job.of(key, "charge " + key.id()));
      if (batch.size() == AT_ONCE || i == plan.asked() - 1) {
        List<EnqueueResult> answers = jobs.enqueue(batch);
        blocked += (int) answers.stream().filter(EnqueueResult.Duplicate.class::isInstance).count();
        batch.clear();
      }
    }
    return blocked;
  }

  /** Causes the faults at equal steps of progress: kills, and freezes beyond the lease. */
  private static int[] trouble(
      Plan plan, JobWorld world, List<ChildJvm> workers, int keys, Random random) {
    int[] seen = new int[2];
    for (int i = 0; i < plan.troubles(); i++) {
      long mark = (long) keys * i / (plan.troubles() + 1);
      until(() -> world.progress() >= mark);
      ChildJvm victim = workers.get(random.nextInt(workers.size()));
      if (i % 3 == 2) {
        victim.pause();
        long resumed = System.nanoTime() + LEASE.multipliedBy(2).toNanos();
        until(() -> System.nanoTime() - resumed >= 0);
        victim.resume();
        seen[1]++;
      } else {
        victim.restart();
        seen[0]++;
      }
    }
    return seen;
  }

  /** Waits for a condition that only other processes and clocks decide. */
  private static void until(BooleanSupplier condition) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - end).as("nanoseconds beyond all patience").isNegative();
      LockSupport.parkNanos(LOOK.toNanos());
    }
  }

  /**
   * Checks the effects.
   *
   * @return how many were second ones
   */
  private static int judge(
      Plan plan, Set<Key> keys, List<EffectLog.Line> effects, boolean onceOnly) {
    Map<Key, List<EffectLog.Line>> byKey =
        effects.stream().collect(Collectors.groupingBy(EffectLog.Line::key));
    assertThat(byKey.keySet()).as("keys with an effect, seed %d", plan.seed()).isEqualTo(keys);
    int second = 0;
    for (List<EffectLog.Line> lines : byKey.values()) {
      Map<String, Long> kinds =
          lines.stream()
              .map(EffectLog.Line::what)
              .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
      assertThat(kinds.getOrDefault("effect", 0L))
          .as("effects nobody reported as a takeover: %s, seed %d", lines, plan.seed())
          .isLessThanOrEqualTo(1);
      if (onceOnly) {
        assertThat(lines).as("effects of one key, seed %d", plan.seed()).hasSize(1);
      }
      second += lines.size() - 1;
    }
    return second;
  }
}

package dev.semel.job;

import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.StoreException;
import dev.semel.event.Event;
import dev.semel.idempotency.GuardedExecutor;
import dev.semel.idempotency.Maintenance;
import dev.semel.idempotency.OperationSettings;
import dev.semel.job.spi.JobQueue;
import dev.semel.job.spi.ReservedJob;
import dev.semel.loop.Platform;
import dev.semel.loop.internal.Backoff;
import dev.semel.loop.internal.Loop;
import dev.semel.loop.internal.LoopFailures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Runs the jobs of a queue, each once per key: takes jobs, executes each under its own claim, and
 * reports the result to the queue. Any number of processes may run one.
 *
 * <p>If a worker dies, the queue hands its job out again once its lease ended; the takeover of the
 * {@linkplain ProcessorSettings#policy policy} decides whether the job runs again (the default,
 * with an event) or is in doubt. With a {@link GuardedExecutor} that shares the handler's
 * transaction there is no such choice: effect and record commit together.
 */
public final class ExactlyOnceProcessor implements AutoCloseable {
  private static final Duration FIRST_TROUBLE = Duration.ofMillis(50);
  private static final Duration LONGEST_TROUBLE = Duration.ofSeconds(5);

  /** Renewals per lease, so that two of them may fail. */
  private static final int RENEWALS_PER_LEASE = 3;

  private final Platform platform;
  private final Jobs jobs;
  private final JobQueue queue;
  private final Maintenance maintenance;
  private final Operation operation;
  private final String name;
  private final ProcessorSettings settings;
  private final QueueBreaker breaker;
  private final JobRun run;
  private final Map<Key, Started> running = new ConcurrentHashMap<>();
  private final Runnable bell;
  private final Loop taking;
  private final Loop keeping;

  /** Whether jobs may be taken: a finishing job wakes the loop, which must exist by then. */
  private volatile boolean ready;

  private @Nullable Backoff trouble;

  /** A job and the thread that runs it. */
  private record Started(ReservedJob reserved, ThreadOf thread) {}

  /** Set first by the job's thread. */
  private static final class ThreadOf {
    private volatile @Nullable Thread thread;
  }

  private ExactlyOnceProcessor(Platform platform, Jobs jobs, JobWork work) {
    this.platform = platform;
    this.jobs = jobs;
    this.queue = jobs.queue();
    this.maintenance = jobs.maintenance();
    this.operation = work.operation();
    this.settings = work.settings();
    this.breaker = new QueueBreaker(platform, operation, settings, maintenance.listener());
    this.run = new JobRun(platform, jobs, work, breaker);
    this.name = "semel-jobs-" + operation.name();
    this.taking = Loop.startTimed(platform, name, this::take, LONGEST_TROUBLE);
    this.bell = taking::wake;
    this.keeping =
        Loop.start(
            platform, name + "-keeps", this::keep, settings.lease().dividedBy(RENEWALS_PER_LEASE));
    jobs.onEnqueued(operation, bell);
    this.ready = true;
    taking.wake();
  }

  /** Starts at once. */
  public static ExactlyOnceProcessor start(
      Jobs jobs,
      GuardedExecutor once,
      Operation operation,
      JobHandler handler,
      ProcessorSettings settings) {
    return start(Platform.REAL, jobs, once, operation, handler, settings);
  }

  /** Starts on another platform than this machine: a simulated one. */
  public static ExactlyOnceProcessor start(
      Platform platform,
      Jobs jobs,
      GuardedExecutor once,
      Operation operation,
      JobHandler handler,
      ProcessorSettings settings) {
    return new ExactlyOnceProcessor(
        platform, jobs, new JobWork(operation, once, handler, settings));
  }

  /** The counts since the start. */
  public ProcessorCounts counts() {
    return run.counts().withRunning(running.size()).withResting(breaker.isOpen());
  }

  /** Takes as many jobs as may run; returns how long to rest then. */
  private long take() {
    int free = live().workers(settings.workers()) - running.size();
    int allowed = ready ? breaker.allows(Math.min(free, ProcessorSettings.MAX_WORKERS)) : 0;
    if (allowed < 1) {
      return settings.poll().toNanos(); // a finished job wakes this loop
    }
    try {
      List<ReservedJob> taken = queue.reserve(operation, allowed, settings.lease());
      taken.forEach(this::start);
      trouble = null;
      return taken.size() == allowed ? 0 : settings.poll().toNanos();
    } catch (StoreException e) {
      LoopFailures.report(name, e);
      return afterTrouble();
    }
  }

  private long afterTrouble() {
    Backoff pauses =
        trouble == null ? new Backoff(platform, FIRST_TROUBLE, LONGEST_TROUBLE) : trouble;
    trouble = pauses;
    return pauses.nextNanos();
  }

  private OperationSettings live() {
    return maintenance.settings().of(operation);
  }

  private void start(ReservedJob reserved) {
    Started started = new Started(reserved, new ThreadOf());
    running.put(reserved.job().key(), started);
    platform.beside(
        "semel-job",
        () -> {
          started.thread().thread = Thread.currentThread();
          try {
            run.run(reserved, live().maxAttempts(settings.maxAttempts()));
          } finally {
            running.remove(reserved.job().key(), started);
            taking.wake();
          }
        });
  }

  /** Renews the leases of running jobs, and frees jobs whose leases ended. */
  private boolean keep() {
    List<ReservedJob> held = new ArrayList<>();
    running.values().forEach(each -> held.add(each.reserved()));
    try {
      if (!held.isEmpty()) {
        queue.extend(held, settings.lease()); // the claim of a lost job fences it
      }
      List<Key> lost = queue.reap(operation);
      lost.forEach(key -> maintenance.listener().on(new Event.JobLost(key, "")));
      if (!lost.isEmpty()) {
        taking.wake();
      }
    } catch (StoreException e) {
      LoopFailures.report(name + "-keeps", e); // a lease tolerates two failures
    }
    return false;
  }

  /**
   * Takes no more jobs, and waits for running ones. Jobs that do not end in time are interrupted;
   * if one still does not end, its lease does, and another worker takes it.
   */
  @Override
  public void close() {
    jobs.forget(operation, bell);
    taking.close();
    if (!awaitRunning(settings.stopWithin())) {
      interruptRunning();
      awaitRunning(FIRST_TROUBLE.multipliedBy(RENEWALS_PER_LEASE));
    }
    keeping.close();
  }

  private boolean awaitRunning(Duration limit) {
    Backoff pauses = new Backoff(platform, Duration.ofMillis(1), FIRST_TROUBLE);
    long deadline = platform.nanos() + limit.toNanos();
    while (!running.isEmpty()) {
      if (!pauses.pauseUntil(deadline)) {
        return running.isEmpty();
      }
    }
    return true;
  }

  private void interruptRunning() {
    for (Started each : running.values()) {
      Thread thread = each.thread().thread;
      if (thread != null) {
        thread.interrupt();
      }
    }
  }
}

package dev.semel.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.StoreException;
import dev.semel.admin.StoreAdmin;
import dev.semel.event.Event;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.MemoryStore;
import dev.semel.idempotency.OperationSetting;
import dev.semel.job.spi.JobQueue;
import dev.semel.job.spi.JobState;
import dev.semel.job.spi.ReservedJob;
import dev.semel.loop.Platform;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * When a processor looks, renews, rests and ends. Nothing here waits for the poll: that is late.
 */
final class ProcessorLoopsTest {
  private static final Operation EXPORTS = new Operation("exports");
  private static final Duration LEASE = Duration.ofMillis(90);

  private static final ProcessorSettings PATIENT =
      ProcessorSettings.defaults()
          .withRetries(3, Duration.ofMillis(1), Duration.ofMillis(2))
          .withPoll(Duration.ofHours(1));

  private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
  private final List<Event> events = new CopyOnWriteArrayList<>();
  private final MemoryStore store = new MemoryStore(InstantSource.system());
  private final Idempotency idempotency = new Idempotency(store, events::add);
  private final MemoryJobs queue = new MemoryJobs(now::get);
  private final List<String> effects = new CopyOnWriteArrayList<>();
  private final JobHandler effect = (job, execution) -> effects.add(job.key().id());

  @AfterEach
  void close() {
    idempotency.close();
  }

  private static Job job(String id) {
    return Job.of(Key.of(EXPORTS.name(), id), "export " + id);
  }

  private JobState state(String id) {
    return queue.find(job(id).key()).orElseThrow().state();
  }

  private Jobs jobs(JobQueue over) {
    return new Jobs(over, idempotency.maintenance());
  }

  private ExactlyOnceProcessor start(Jobs jobs, JobHandler handler, ProcessorSettings settings) {
    return ExactlyOnceProcessor.start(jobs, idempotency, EXPORTS, handler, settings);
  }

  /** The machine we run on, and what a loop did on it. */
  private static class Watched implements Platform {
    final List<Long> rests = new CopyOnWriteArrayList<>();
    final List<Thread> threads = new CopyOnWriteArrayList<>();
    final AtomicInteger wakes = new AtomicInteger();
    private final String loop;

    Watched(String loop) {
      this.loop = loop;
    }

    @Override
    public Thread start(String name, Runnable task) {
      Thread thread = Platform.super.start(name, task);
      threads.add(thread);
      return thread;
    }

    @Override
    public void park(Object blocker, long nanos) {
      if (Thread.currentThread().getName().equals(loop)) {
        rests.add(nanos);
      }
      Platform.super.park(blocker, Math.min(nanos, 1_000_000));
    }

    @Override
    public void unpark(Thread thread) {
      wakes.incrementAndGet();
      Platform.super.unpark(thread);
    }

    @Override
    public long random(long bound) {
      return bound - 1;
    }
  }

  @Test
  void jobThatThisProcessEnqueuesIsTakenAtOnce() {
    Jobs jobs = jobs(queue);
    try (ExactlyOnceProcessor processor = start(jobs, effect, PATIENT)) {
      for (int i = 0; i < 3; i++) {
        jobs.enqueue(job("j" + i));
        int done = i + 1;
        await().until(() -> processor.counts().executed() == done);
      }
    }
  }

  @Test
  void workerThatIsFreeTakesTheNextAtOnce() {
    Jobs jobs = jobs(queue);
    queue.enqueue(IntStream.range(0, 20).mapToObj(i -> job("j" + i)).toList()); // nobody rings
    try (ExactlyOnceProcessor processor = start(jobs, effect, PATIENT.withWorkers(2))) {
      await().until(() -> processor.counts().executed() == 20);
    }
  }

  @Test
  void jobOfALostWorkerIsTakenAtOnce() {
    queue.enqueue(job("a"));
    assertThat(queue.reserve(EXPORTS, 1, LEASE)).hasSize(1);
    try (ExactlyOnceProcessor processor = start(jobs(queue), effect, PATIENT.withLease(LEASE))) {
      now.updateAndGet(then -> then.plus(LEASE));
      await().until(() -> processor.counts().executed() == 1);
    }
    assertThat(events)
        .filteredOn(Event.JobLost.class::isInstance)
        .containsExactly(new Event.JobLost(job("a").key(), ""));
  }

  /** The machine is slow to say that a thread was started, and that thread is not. */
  @Test
  void jobThatEndsBeforeItsProcessorHasBegunIsFollowedByTheNext() {
    AtomicInteger rests = new AtomicInteger();
    Platform slow =
        new Platform() {
          @Override
          public Thread start(String name, Runnable task) {
            Thread thread = Platform.super.start(name, task);
            await().until(() -> rests.get() > 0);
            await().until(() -> state("a") != JobState.PROCESSING);
            return thread;
          }

          @Override
          public void park(Object blocker, long nanos) {
            rests.incrementAndGet();
            Platform.super.park(blocker, nanos);
          }
        };
    queue.enqueue(List.of(job("a"), job("b")));
    try (ExactlyOnceProcessor processor =
        ExactlyOnceProcessor.start(
            slow, jobs(queue), idempotency, EXPORTS, effect, PATIENT.withWorkers(1))) {
      await().until(() -> processor.counts().executed() == 2);
    }
  }

  @Test
  void whileAQueueRestsNoJobIsTaken() {
    Watched platform = new Watched("semel-jobs-exports");
    Jobs jobs = jobs(queue);
    try (ExactlyOnceProcessor processor =
        ExactlyOnceProcessor.start(
            platform,
            jobs,
            idempotency,
            EXPORTS,
            (job, execution) -> {
              effects.add("tried " + job.key().id());
              throw new IllegalStateException("the database is away");
            },
            PATIENT.withWorkers(1).withCircuit(2, Duration.ofHours(1)))) {
      queue.enqueue(List.of(job("a"), job("b"), job("c")));
      jobs.enqueue(job("d"));
      await().until(() -> processor.counts().resting() && processor.counts().running() == 0);
      int before = platform.rests.size();
      jobs.enqueue(job("e"));
      await().until(() -> platform.rests.size() > before + 1);
    }
    assertThat(effects).containsExactly("tried a", "tried b");
  }

  @Test
  void leasesAreRenewedThreeTimesWithinOne() {
    Watched platform = new Watched("semel-jobs-exports-keeps");
    try (ExactlyOnceProcessor processor =
        ExactlyOnceProcessor.start(
            platform, jobs(queue), idempotency, EXPORTS, effect, PATIENT.withLease(LEASE))) {
      await().until(() -> platform.rests.size() > 2);
      assertThat(processor.counts().running()).isZero();
    }
    assertThat(platform.rests).containsOnly(LEASE.dividedBy(3).toNanos());
  }

  @Test
  void queueThatIsAwayIsAskedLessAndLessOftenUntilItAnswers() {
    int away = 10;
    AtomicInteger asked = new AtomicInteger();
    JobQueue shaky =
        new ForwardingJobs(queue) {
          @Override
          public List<ReservedJob> reserve(Operation operation, int max, Duration lease) {
            int time = asked.incrementAndGet();
            if (time <= away || time == away + 2) {
              throw new StoreException("the queue can't be reached");
            }
            return super.reserve(operation, max, lease);
          }
        };
    Watched platform = new Watched("semel-jobs-exports");
    try (ExactlyOnceProcessor processor =
        ExactlyOnceProcessor.start(
            platform,
            jobs(shaky),
            idempotency,
            EXPORTS,
            effect,
            PATIENT.withWorkers(2).withPoll(Duration.ofMillis(1)))) {
      await().until(() -> asked.get() > away + 3);
      assertThat(processor.counts().running()).isZero();
    }
    assertThat(platform.rests) // the first, of 50 ms, may be cut short by the start
        .extracting(nanos -> Duration.ofNanos(nanos).toMillis())
        .containsSequence(100L, 200L, 400L, 800L, 1600L, 3200L, 5000L, 5000L, 5000L, 1L, 50L);
  }

  @Test
  void renewalThatFailsIsTriedAgain() {
    AtomicInteger asked = new AtomicInteger();
    AtomicInteger renewed = new AtomicInteger();
    JobQueue shaky =
        new ForwardingJobs(queue) {
          @Override
          public List<ReservedJob> extend(List<ReservedJob> held, Duration lease) {
            if (asked.incrementAndGet() % 2 == 1) {
              throw new StoreException("the queue can't be reached");
            }
            renewed.incrementAndGet();
            return super.extend(held, lease);
          }
        };
    CountDownLatch go = new CountDownLatch(1);
    Jobs jobs = jobs(shaky);
    try (ExactlyOnceProcessor processor =
        start(jobs, (job, execution) -> go.await(), PATIENT.withLease(LEASE))) {
      jobs.enqueue(job("a"));
      await().until(() -> renewed.get() > 1);
      go.countDown();
      await().until(() -> processor.counts().executed() == 1);
    }
  }

  /** A queue that counts renewals. */
  private JobQueue counting(AtomicInteger renewed) {
    return new ForwardingJobs(queue) {
      @Override
      public List<ReservedJob> extend(List<ReservedJob> held, Duration lease) {
        List<ReservedJob> lost = super.extend(held, lease);
        renewed.incrementAndGet();
        return lost;
      }
    };
  }

  @Test
  void whatClosingWaitsForIsStillRenewed() throws Exception {
    AtomicInteger renewed = new AtomicInteger();
    Jobs jobs = jobs(counting(renewed));
    CountDownLatch go = new CountDownLatch(1);
    ExactlyOnceProcessor processor =
        start(jobs, (job, execution) -> go.await(), PATIENT.withLease(LEASE));
    jobs.enqueue(job("a"));
    await().until(() -> processor.counts().running() == 1);
    Thread closing = Thread.ofPlatform().start(processor::close);
    await().until(() -> closing.getState() == Thread.State.TIMED_WAITING); // for what runs
    int before = renewed.get();
    await().until(() -> renewed.get() > before + 1);
    go.countDown();
    closing.join();
    assertThat(processor.counts().executed()).isOne();
  }

  @Test
  void closedProcessorLeavesNoThreadAndIsNotRungFor() {
    Watched platform = new Watched("none");
    Jobs jobs = jobs(queue);
    ExactlyOnceProcessor.start(platform, jobs, idempotency, EXPORTS, effect, PATIENT).close();
    assertThat(platform.threads).hasSize(2).noneMatch(Thread::isAlive);
    int before = platform.wakes.get();
    jobs.enqueue(job("a"));
    assertThat(platform.wakes.get()).isEqualTo(before);
  }

  /** The processor's time is ours, so what was interrupted has as long as it needs. */
  @Test
  void closingHearsWhatBecomesOfAJobThatItInterrupted() throws Exception {
    AtomicLong time = new AtomicLong();
    Platform ours =
        new Platform() {
          @Override
          public long nanos() {
            return time.get();
          }
        };
    CountDownLatch interrupted = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    Jobs jobs = jobs(queue);
    ExactlyOnceProcessor processor =
        ExactlyOnceProcessor.start(
            ours,
            jobs,
            idempotency,
            EXPORTS,
            (job, execution) -> {
              try {
                new CountDownLatch(1).await();
              } catch (InterruptedException e) {
                interrupted.countDown();
                go.await();
                throw e;
              }
            },
            PATIENT);
    jobs.enqueue(job("a"));
    await().until(() -> processor.counts().running() == 1);
    Thread closing = Thread.ofPlatform().start(processor::close);
    await().until(() -> closing.getState() == Thread.State.TIMED_WAITING);
    assertThat(interrupted.getCount()).as("not before its time").isOne();
    time.addAndGet(PATIENT.stopWithin().toNanos());
    interrupted.await();
    await().until(() -> closing.getState() == Thread.State.TIMED_WAITING); // for what it says
    go.countDown();
    closing.join();
    assertThat(state("a")).isEqualTo(JobState.PENDING);
  }

  private void set(Map<OperationSetting, String> values) {
    new StoreAdmin(store, "test").change(EXPORTS, values);
    await().until(() -> idempotency.maintenance().settings().of(EXPORTS).values().equals(values));
  }

  @Test
  void operatorsDecideHowManyRunAtATime() {
    set(Map.of(OperationSetting.WORKERS, "1"));
    List<Integer> wanted = new CopyOnWriteArrayList<>();
    Jobs jobs =
        jobs(
            new ForwardingJobs(queue) {
              @Override
              public List<ReservedJob> reserve(Operation operation, int max, Duration lease) {
                wanted.add(max);
                return super.reserve(operation, max, lease);
              }
            });
    queue.enqueue(List.of(job("a"), job("b"), job("c")));
    try (ExactlyOnceProcessor processor = start(jobs, effect, PATIENT.withWorkers(8))) {
      await().until(() -> processor.counts().executed() == 3);
    }
    assertThat(wanted).containsOnly(1);
  }

  @Test
  void operatorsDecideHowOftenAJobIsTried() {
    set(Map.of(OperationSetting.MAX_ATTEMPTS, "1"));
    Jobs jobs = jobs(queue);
    try (ExactlyOnceProcessor processor =
        start(
            jobs,
            (job, execution) -> {
              throw new IllegalStateException("no");
            },
            PATIENT)) {
      jobs.enqueue(job("a"));
      await().until(() -> processor.counts().failed() == 1);
      assertThat(processor.counts().retried()).isZero();
    }
  }

  @Test
  void moreWorkersThanACallHandsOutAreNotAskedForAtOnce() {
    set(Map.of(OperationSetting.WORKERS, Integer.toString(JobQueue.MAX_BATCH + 1)));
    Jobs jobs = jobs(queue);
    try (ExactlyOnceProcessor processor = start(jobs, effect, PATIENT)) {
      jobs.enqueue(job("a"));
      await().until(() -> processor.counts().executed() == 1);
    }
  }
}

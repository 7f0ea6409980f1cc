package dev.semel.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.StoreException;
import dev.semel.Tenant;
import dev.semel.event.Event;
import dev.semel.event.JsonLog;
import dev.semel.event.SemelListener;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.ExecutionRequest;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.GuardedExecutor;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.MemoryStore;
import dev.semel.idempotency.Outcome;
import dev.semel.idempotency.Work;
import dev.semel.job.spi.JobQueue;
import dev.semel.job.spi.JobState;
import dev.semel.job.spi.ReservedJob;
import dev.semel.loop.Platform;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * What the processor does when something around it breaks. Collisions have a test with the
 * processor's others; an outbox that lacks a message has one beside the outbox.
 */
final class FailureModesTest {
  private static final Operation EXPORTS = new Operation("exports");

  private static final ProcessorSettings QUICK =
      ProcessorSettings.defaults()
          .withRetries(3, Duration.ofMillis(1), Duration.ofMillis(2))
          .withPoll(Duration.ofMillis(1));

  private final List<Event> events = new CopyOnWriteArrayList<>();
  private final List<String> effects = new CopyOnWriteArrayList<>();

  private static Job job(String id) {
    return Job.of(new Key(Tenant.DEFAULT, EXPORTS, id), "export " + id);
  }

  /** Executions whose store is away so many times. */
  private static final class AwayAtFirst implements GuardedExecutor {
    private final GuardedExecutor once;
    final AtomicInteger asked = new AtomicInteger();
    private final int times;

    AwayAtFirst(GuardedExecutor once, int times) {
      this.once = once;
      this.times = times;
    }

    @Override
    public <T, X extends Exception> Outcome<T> execute(ExecutionRequest<T> request, Work<T, X> work)
        throws X {
      if (asked.incrementAndGet() <= times) {
        throw new StoreException("the store can't be reached");
      }
      return once.execute(request, work);
    }
  }

  @Test
  void storeThatIsAwayCostsNoAttempt() {
    MemoryJobs queue = new MemoryJobs(InstantSource.system());
    try (Idempotency idempotency =
        new Idempotency(new MemoryStore(InstantSource.system()), events::add)) {
      Jobs jobs = new Jobs(queue, idempotency.maintenance());
      AwayAtFirst once = new AwayAtFirst(idempotency, 5); // more often than attempts are allowed
      try (ExactlyOnceProcessor processor =
          ExactlyOnceProcessor.start(
              jobs, once, EXPORTS, (job, execution) -> effects.add("ran"), QUICK)) {
        jobs.enqueue(job("a"));
        await().until(() -> processor.counts().executed() == 1);
        assertThat(processor.counts().givenBack()).isEqualTo(5);
      }
    }
    assertThat(effects).containsExactly("ran");
    assertThat(queue.find(job("a").key()).orElseThrow().attempts()).isOne();
  }

  /** A queue that does what it is asked and does not answer, this many times. */
  private static JobQueue deaf(MemoryJobs queue, AtomicInteger times) {
    return new ForwardingJobs(queue) {
      @Override
      public boolean complete(ReservedJob held) {
        boolean done = super.complete(held);
        if (times.getAndDecrement() > 0) {
          throw new StoreException("no answer");
        }
        return done;
      }
    };
  }

  @Test
  void endThatWasNotHeardIsSaidAgain() {
    MemoryJobs queue = new MemoryJobs(InstantSource.system());
    AtomicInteger times = new AtomicInteger(3);
    try (Idempotency idempotency =
        new Idempotency(new MemoryStore(InstantSource.system()), events::add)) {
      Jobs jobs = new Jobs(deaf(queue, times), idempotency.maintenance());
      try (ExactlyOnceProcessor processor =
          ExactlyOnceProcessor.start(
              jobs, idempotency, EXPORTS, (job, execution) -> effects.add("ran"), QUICK)) {
        jobs.enqueue(job("a"));
        await().until(() -> times.get() < 0);
        assertThat(processor.counts().executed()).isOne();
      }
    }
    assertThat(effects).containsExactly("ran");
    assertThat(queue.find(job("a").key()).orElseThrow().state()).isEqualTo(JobState.COMPLETED);
  }

  /** The queue never hears that it is done; the next worker finds its record. */
  @Test
  void workerThatTakesUpADoneJobFindsThatItIsDone() {
    MemoryJobs queue = new MemoryJobs(InstantSource.system());
    try (Idempotency idempotency =
        new Idempotency(new MemoryStore(InstantSource.system()), events::add)) {
      Jobs jobs = new Jobs(queue, idempotency.maintenance());
      jobs.enqueue(job("a"));
      idempotency.execute(
          job("a").key(),
          Fingerprint.NONE,
          Codec.bytes(),
          execution -> {
            effects.add("ran");
            return new byte[0];
          });
      try (ExactlyOnceProcessor processor =
          ExactlyOnceProcessor.start(
              jobs, idempotency, EXPORTS, (job, execution) -> effects.add("again"), QUICK)) {
        await().until(() -> processor.counts().duplicates() == 1);
      }
    }
    assertThat(effects).containsExactly("ran");
    assertThat(queue.find(job("a").key()).orElseThrow().state()).isEqualTo(JobState.COMPLETED);
  }

  @Test
  void jobThatTakesLongerThanItsRetentionIsStillOne() {
    Duration retention = Duration.ofMillis(20);
    MemoryJobs queue = new MemoryJobs(InstantSource.system());
    CountDownLatch go = new CountDownLatch(1);
    try (Idempotency idempotency =
        new Idempotency(new MemoryStore(InstantSource.system()), events::add)) {
      Jobs jobs = new Jobs(queue, idempotency.maintenance());
      try (ExactlyOnceProcessor processor =
          ExactlyOnceProcessor.start(
              jobs,
              idempotency,
              EXPORTS,
              (job, execution) -> {
                effects.add("ran");
                go.await();
              },
              QUICK)) {
        jobs.enqueue(job("a").withRetention(retention));
        await().until(() -> processor.counts().running() == 1);
        Instant later = queue.now().plus(retention.multipliedBy(10));
        await().until(() -> queue.now().isAfter(later));
        assertThat(jobs.enqueue(job("a").withRetention(retention)))
            .isInstanceOf(EnqueueResult.Duplicate.class);
        go.countDown();
        await().until(() -> processor.counts().executed() == 1);
      }
    }
    assertThat(effects).containsExactly("ran");
    assertThat(events).noneMatch(Event.Outlived.class::isInstance);
  }

  @Test
  void clocksThatDifferDecideNothing() {
    InstantSource ahead = () -> Instant.now().plus(Duration.ofHours(1));
    MemoryJobs queue = new MemoryJobs(ahead);
    try (Idempotency idempotency = new Idempotency(new MemoryStore(ahead), events::add)) {
      Jobs jobs = new Jobs(queue, idempotency.maintenance());
      try (ExactlyOnceProcessor processor =
          ExactlyOnceProcessor.start(
              jobs, idempotency, EXPORTS, (job, execution) -> effects.add("ran"), QUICK)) {
        jobs.enqueue(job("a"));
        assertThat(jobs.enqueue(job("a"))).isInstanceOf(EnqueueResult.Duplicate.class);
        await().until(() -> processor.counts().executed() == 1);
        await().until(() -> events.stream().anyMatch(Event.ClockSkewed.class::isInstance));
      }
    }
    assertThat(effects).containsExactly("ran");
  }

  /** The maintenance's turns, one when the test says so. */
  private static final class Turns implements Platform {
    private static final String UPKEEP = "semel-upkeep";
    private final Semaphore turns = new Semaphore(0);

    @Override
    public void park(Object blocker, long nanos) {
      if (Thread.currentThread().getName().equals(UPKEEP)) {
        turns.acquireUninterruptibly();
      } else {
        Platform.super.park(blocker, nanos);
      }
    }

    @Override
    public void unpark(Thread thread) {
      if (thread.getName().equals(UPKEEP)) {
        turns.release(); // it is closed
      }
      Platform.super.unpark(thread);
    }

    /** Ten seconds pass: what was counted is judged. */
    void window() {
      for (int second = 0; second < 10; second++) {
        turns.release();
        await().until(() -> turns.hasQueuedThreads() && turns.availablePermits() == 0);
      }
    }
  }

  /** Asked for so many times each, and executed once. */
  private static void ask(Jobs jobs, ExactlyOnceProcessor processor, String name, int times) {
    long before = processor.counts().executed();
    for (int time = 0; time < times; time++) {
      jobs.enqueue(IntStream.range(0, 100).mapToObj(i -> job(name + i)).toList());
    }
    await().until(() -> processor.counts().executed() == before + 100);
  }

  @Test
  void stormOfDuplicatesIsToldAndHoldsNothingUp() {
    MemoryJobs queue = new MemoryJobs(InstantSource.system());
    Turns turns = new Turns();
    StringBuilder log = new StringBuilder();
    SemelListener both =
        ((SemelListener) events::add).and(new JsonLog(log, InstantSource.system()));
    try (Idempotency idempotency =
        new Idempotency(new MemoryStore(InstantSource.system()), both, turns)) {
      Jobs jobs = new Jobs(queue, idempotency.maintenance());
      try (ExactlyOnceProcessor processor =
          ExactlyOnceProcessor.start(
              jobs, idempotency, EXPORTS, (job, execution) -> effects.add(job.key().id()), QUICK)) {
        ask(jobs, processor, "usual", 1);
        turns.window();
        assertThat(storms()).isEmpty();
        ask(jobs, processor, "storm", 4);
        turns.window();
        assertThat(storms())
            .singleElement()
            .satisfies(
                storm -> {
                  assertThat(storm.operation()).isEqualTo(EXPORTS);
                  assertThat(storm.hitRate()).isEqualTo(75);
                  assertThat(storm.suggestion()).isNotEmpty();
                });
        ask(jobs, processor, "calm", 1);
        turns.window();
        assertThat(storms())
            .extracting(Event.DuplicateStorm::over)
            .as("it is over once duplicates are")
            .containsExactly(false, true);
      }
    }
    assertThat(effects).hasSize(300).doesNotHaveDuplicates();
    assertThat(log.toString())
        .contains("\"level\":\"warn\"", "high duplicate rate detected", "\"hit_rate\":75");
  }

  private List<Event.DuplicateStorm> storms() {
    return events.stream()
        .filter(Event.DuplicateStorm.class::isInstance)
        .map(Event.DuplicateStorm.class::cast)
        .toList();
  }
}

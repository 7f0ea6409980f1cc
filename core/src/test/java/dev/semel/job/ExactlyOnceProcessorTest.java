package dev.semel.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.Tenant;
import dev.semel.Token;
import dev.semel.admin.StoreAdmin;
import dev.semel.event.Event;
import dev.semel.idempotency.EffectUnknown;
import dev.semel.idempotency.ExecutionPolicy;
import dev.semel.idempotency.FailurePolicy;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.MemoryStore;
import dev.semel.idempotency.OperationSetting;
import dev.semel.idempotency.TakeoverPolicy;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.job.spi.JobOperations;
import dev.semel.job.spi.JobOperations.Entry;
import dev.semel.job.spi.JobState;
import dev.semel.job.spi.ReservedJob;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ExactlyOnceProcessorTest {
  private static final Operation EXPORTS = new Operation("exports");

  private static final ProcessorSettings QUICK =
      ProcessorSettings.defaults()
          .withRetries(3, Duration.ofMillis(1), Duration.ofMillis(2))
          .withPoll(Duration.ofMillis(1));

  private final MemoryStore store = new MemoryStore(InstantSource.system());
  private final List<Event> events = new CopyOnWriteArrayList<>();
  private final Idempotency idempotency = new Idempotency(store, events::add);
  private final MemoryJobs queue = new MemoryJobs(InstantSource.system());
  private final Jobs jobs = new Jobs(queue, idempotency.maintenance());
  private final List<String> effects = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() {
    idempotency.close();
  }

  private static Job job(String id) {
    return Job.of(new Key(Tenant.DEFAULT, EXPORTS, id), "export " + id);
  }

  private ExactlyOnceProcessor start(JobHandler handler) {
    return start(handler, QUICK);
  }

  private ExactlyOnceProcessor start(JobHandler handler, ProcessorSettings settings) {
    return ExactlyOnceProcessor.start(jobs, idempotency, EXPORTS, handler, settings);
  }

  private Entry entry(String id) {
    return queue.find(job(id).key()).orElseThrow();
  }

  private JobOperations.Counts counts() {
    return Objects.requireNonNull(queue.counts().get(EXPORTS));
  }

  private void awaitState(String id, JobState state) {
    await().until(() -> entry(id).state() == state);
  }

  private <E extends Event> List<E> seen(Class<E> type) {
    return events.stream().filter(type::isInstance).map(type::cast).toList();
  }

  @Test
  void eachJobTakesEffectOnceHoweverOftenItIsAskedFor() {
    try (ExactlyOnceProcessor processor = start((job, execution) -> effects.add(job.key().id()))) {
      for (int time = 0; time < 3; time++) {
        jobs.enqueue(IntStream.range(0, 100).mapToObj(i -> job("j" + i)).toList());
      }
      await().until(() -> counts().completed() == 100);
      assertThat(processor.counts().executed()).isEqualTo(100);
    }
    assertThat(effects).hasSize(100).doesNotHaveDuplicates();
    assertThat(seen(Event.Replayed.class).size() + seen(Event.InFlight.class).size())
        .as("duplicates that were told")
        .isEqualTo(200);
  }

  @Test
  void handlerKnowsItsJobAndTheEffectKey() {
    try (ExactlyOnceProcessor processor =
        start((job, execution) -> effects.add(job.text() + " " + execution.effectKey()))) {
      jobs.enqueue(job("a"));
      awaitState("a", JobState.COMPLETED);
      assertThat(processor.counts().executed()).isOne();
    }
    assertThat(effects).containsExactly("export a " + job("a").key().effectKey());
  }

  @Test
  void retryAfterAFailureRuns() {
    try (ExactlyOnceProcessor processor =
        start(
            (job, execution) -> {
              effects.add("try " + execution.attempt());
              if (execution.attempt() < 3) {
                throw new IllegalStateException("the network");
              }
            })) {
      jobs.enqueue(job("a"));
      awaitState("a", JobState.COMPLETED);
      assertThat(processor.counts().retried()).isEqualTo(2);
    }
    assertThat(effects).containsExactly("try 1", "try 2", "try 3");
    assertThat(seen(Event.JobRetried.class)).hasSize(2);
    assertThat(entry("a").attempts()).isEqualTo(3);
  }

  @Test
  void whatFailsTooOftenIsADeadLetterWithItsStackTrace() {
    try (ExactlyOnceProcessor processor =
        start(
            (job, execution) -> {
              throw new IllegalStateException("no such customer\nin any book");
            })) {
      jobs.enqueue(job("a"));
      awaitState("a", JobState.FAILED);
      assertThat(processor.counts().failed()).isOne();
    }
    Entry dead = entry("a");
    assertThat(dead.attempts()).isEqualTo(3);
    assertThat(dead.error())
        .startsWith("java.lang.IllegalStateException: no such customer")
        .contains("at dev.semel.job.ExactlyOnceProcessorTest");
    Event.JobBuried buried = seen(Event.JobBuried.class).getFirst();
    assertThat(buried.grave()).isEqualTo(Event.JobBuried.Grave.GAVE_UP);
    assertThat(buried.reason()).doesNotContain("\n");
    assertThat(seen(Event.JobRetried.class))
        .hasSize(2)
        .allSatisfy(retried -> assertThat(retried.reason()).endsWith("no such customer"));
  }

  @Test
  void deadLetterThatIsRequeuedRuns() {
    AtomicInteger broken = new AtomicInteger(1);
    try (ExactlyOnceProcessor processor =
        start(
            (job, execution) -> {
              if (broken.get() == 1) {
                throw new IllegalStateException("broken");
              }
              effects.add(job.key().id());
            })) {
      jobs.enqueue(job("a"));
      awaitState("a", JobState.FAILED);
      broken.set(0);
      assertThat(queue.requeue(JobOperations.Filter.of(EXPORTS))).hasSize(1);
      awaitState("a", JobState.COMPLETED);
      assertThat(processor.counts().executed()).isOne();
    }
    assertThat(effects).containsExactly("a");
  }

  @Test
  void finalFailureIsToldToWhoeverAsksAgain() {
    ExecutionPolicy keeping =
        QUICK.policy().withOnFailure(failure -> failure instanceof IllegalArgumentException);
    try (ExactlyOnceProcessor processor =
        start(
            (job, execution) -> {
              effects.add("tried");
              throw new IllegalArgumentException("declined");
            },
            QUICK.withPolicy(keeping))) {
      jobs.enqueue(job("a"));
      awaitState("a", JobState.FAILED);
      assertThat(jobs.enqueue(job("a")))
          .isInstanceOfSatisfying(
              EnqueueResult.Duplicate.class,
              d -> assertThat(d.original().state()).isEqualTo(JobState.FAILED));
      assertThat(processor.counts().failed()).isOne();
    }
    assertThat(effects).containsExactly("tried");
    assertThat(entry("a").error()).contains("declined");
  }

  @Test
  void whatNobodyCanKnowIsInDoubt() {
    try (ExactlyOnceProcessor processor =
        start(
            (job, execution) -> {
              throw new EffectUnknown("the answer was lost", new IllegalStateException());
            })) {
      jobs.enqueue(job("a"));
      awaitState("a", JobState.IN_DOUBT);
      assertThat(processor.counts().inDoubt()).isOne();
    }
    assertThat(jobs.enqueue(job("a"))).isInstanceOf(EnqueueResult.Duplicate.class);
  }

  /** Someone took the key and died. */
  private void diedWith(String id) {
    store
        .idempotency()
        .claim(
            new ClaimRequest(
                job(id).key(),
                Token.draw(),
                Fingerprint.NONE,
                Duration.ofMillis(1),
                Duration.ofHours(1),
                TakeoverPolicy.IN_DOUBT,
                "dead worker"));
    Instant leaseEnd = store.now().plusMillis(1);
    await().until(() -> store.now().isAfter(leaseEnd));
  }

  @Test
  void takeoverRunsAgainAndIsReported() {
    diedWith("a");
    try (ExactlyOnceProcessor processor =
        start((job, execution) -> effects.add("taken over " + execution.takenOver()))) {
      jobs.enqueue(job("a"));
      awaitState("a", JobState.COMPLETED);
      assertThat(processor.counts().executed()).isOne();
    }
    assertThat(effects).containsExactly("taken over true");
    assertThat(seen(Event.TakenOver.class)).hasSize(1);
  }

  @Test
  void takeoverCanBeInDoubtInstead() {
    diedWith("a");
    try (ExactlyOnceProcessor processor =
        start(
            (job, execution) -> effects.add("ran"),
            QUICK.withPolicy(QUICK.policy().withTakeover(TakeoverPolicy.IN_DOUBT)))) {
      jobs.enqueue(job("a"));
      awaitState("a", JobState.IN_DOUBT);
      assertThat(processor.counts().inDoubt()).isOne();
    }
    assertThat(effects).isEmpty();
    assertThat(entry("a").error()).contains("never heard of again");
  }

  @Test
  void jobOfALostWorkerIsTakenUp() {
    jobs.enqueue(job("a"));
    assertThat(queue.reserve(EXPORTS, 1, Duration.ofMillis(1))).hasSize(1);
    try (ExactlyOnceProcessor processor =
        start((job, execution) -> effects.add("ran"), QUICK.withLease(Duration.ofSeconds(3)))) {
      awaitState("a", JobState.COMPLETED);
      assertThat(processor.counts().executed()).isOne();
    }
    assertThat(seen(Event.JobLost.class)).extracting(Event.JobLost::key).contains(job("a").key());
  }

  @Test
  void jobThatKillsItsWorkersIsGivenUp() {
    jobs.enqueue(job("a"));
    for (int death = 0; death < 3; death++) {
      await().until(() -> !queue.reserve(EXPORTS, 1, Duration.ofMillis(1)).isEmpty());
      await().until(() -> !queue.reap(EXPORTS).isEmpty());
    }
    try (ExactlyOnceProcessor processor = start((job, execution) -> effects.add("ran"))) {
      awaitState("a", JobState.FAILED);
      assertThat(processor.counts().failed()).isOne();
    }
    assertThat(effects).isEmpty();
    assertThat(entry("a").error()).contains("3 workers were never heard of again");
  }

  /** The queue's clock only goes on once the job was renewed, so a slow machine changes nothing. */
  @Test
  void leaseOfALongJobIsRenewed() {
    Duration lease = Duration.ofMillis(90);
    AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
    AtomicInteger renewed = new AtomicInteger();
    MemoryJobs kept = new MemoryJobs(now::get);
    Jobs watched =
        new Jobs(
            new ForwardingJobs(kept) {
              @Override
              public List<ReservedJob> extend(List<ReservedJob> held, Duration by) {
                List<ReservedJob> extended = super.extend(held, by);
                renewed.incrementAndGet();
                return extended;
              }
            },
            idempotency.maintenance());
    CountDownLatch go = new CountDownLatch(1);
    JobHandler handler =
        (job, execution) -> {
          effects.add(job.key().id());
          go.await();
        };
    ProcessorSettings brief = QUICK.withLease(lease).withPolicy(QUICK.policy());
    try (ExactlyOnceProcessor first =
            ExactlyOnceProcessor.start(watched, idempotency, EXPORTS, handler, brief);
        ExactlyOnceProcessor second =
            ExactlyOnceProcessor.start(watched, idempotency, EXPORTS, handler, brief)) {
      watched.enqueue(job("a"));
      for (int step = 0; step < 6; step++) { // three leases
        int before = renewed.get();
        await().until(() -> renewed.get() >= before + 2); // the second began after this step
        now.updateAndGet(then -> then.plus(lease.dividedBy(2)));
      }
      go.countDown();
      await().until(() -> kept.find(job("a").key()).orElseThrow().state() == JobState.COMPLETED);
      assertThat(first.counts().executed() + second.counts().executed()).isOne();
    }
    assertThat(seen(Event.JobLost.class)).isEmpty();
    assertThat(effects).containsExactly("a");
  }

  @Test
  void noMoreThanItsWorkersRunAtATime() {
    AtomicInteger now = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    CyclicBarrier together = new CyclicBarrier(3);
    try (ExactlyOnceProcessor processor =
        start(
            (job, execution) -> {
              most.accumulateAndGet(now.incrementAndGet(), Math::max);
              together.await();
              now.decrementAndGet();
            },
            QUICK.withWorkers(3))) {
      jobs.enqueue(IntStream.range(0, 60).mapToObj(i -> job("j" + i)).toList());
      await().until(() -> counts().completed() == 60);
      assertThat(processor.counts().executed()).isEqualTo(60);
    }
    assertThat(most.get()).isEqualTo(3);
  }

  @Test
  void closingWaitsForWhatRunsAndTakesNoMore() throws Exception {
    CountDownLatch began = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    ExactlyOnceProcessor processor =
        start(
            (job, execution) -> {
              began.countDown();
              go.await();
              effects.add(job.key().id());
            },
            QUICK.withWorkers(1));
    jobs.enqueue(List.of(job("a"), job("b")));
    began.await();
    Thread closing = Thread.ofPlatform().start(processor::close);
    await().until(() -> closing.getState() == Thread.State.TIMED_WAITING); // for what runs
    go.countDown();
    closing.join();
    assertThat(effects).hasSize(1);
    assertThat(counts().completed()).isOne();
    assertThat(counts().pending()).isOne();
    assertThat(counts().processing()).isZero();
  }

  @Test
  void whatDoesNotEndIsInterruptedAndMayBeRetried() throws Exception {
    CountDownLatch began = new CountDownLatch(1);
    ExactlyOnceProcessor processor =
        start(
            (job, execution) -> {
              began.countDown();
              new CountDownLatch(1).await();
            },
            QUICK.withStopWithin(Duration.ofMillis(20)));
    jobs.enqueue(job("a"));
    began.await();
    processor.close();
    awaitState("a", JobState.PENDING);
    assertThat(entry("a").error()).contains("InterruptedException");
  }

  @Test
  void queueRestsWhenEverythingFails() {
    AtomicInteger broken = new AtomicInteger(1);
    try (ExactlyOnceProcessor processor =
        start(
            (job, execution) -> {
              if (broken.get() == 1) {
                throw new IllegalStateException("the database is away");
              }
              effects.add(job.key().id());
            },
            QUICK
                .withWorkers(1)
                .withRetries(1000, Duration.ofMillis(1), Duration.ofMillis(1))
                .withCircuit(5, Duration.ofMillis(50)))) {
      jobs.enqueue(IntStream.range(0, 20).mapToObj(i -> job("j" + i)).toList());
      await().until(() -> processor.counts().resting());
      assertThat(seen(Event.CircuitChanged.class).getFirst().reason()).contains("away");
      broken.set(0);
      await().until(() -> counts().completed() == 20);
      assertThat(processor.counts().resting()).isFalse();
    }
    assertThat(seen(Event.CircuitChanged.class))
        .extracting(Event.CircuitChanged::open)
        .startsWith(true)
        .endsWith(false);
    assertThat(effects).hasSize(20).doesNotHaveDuplicates();
  }

  private void set(Map<OperationSetting, String> values) {
    new StoreAdmin(store, "test").change(EXPORTS, values);
    await().until(() -> idempotency.maintenance().settings().of(EXPORTS).values().equals(values));
  }

  @Test
  void settingsReachAProcessorThatRuns() {
    set(Map.of(OperationSetting.WORKERS, "0"));
    try (ExactlyOnceProcessor processor = start((job, execution) -> effects.add("ran"))) {
      jobs.enqueue(job("a"));
      assertThat(processor.counts().running()).isZero();
      assertThat(entry("a").state()).isEqualTo(JobState.PENDING);
      set(Map.of(OperationSetting.WORKERS, "1"));
      awaitState("a", JobState.COMPLETED);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"off", "observe"})
  void whereNothingIsHeldBackDuplicatesRun(String mode) {
    set(Map.of(OperationSetting.MODE, mode));
    try (ExactlyOnceProcessor processor = start((job, execution) -> effects.add(job.key().id()))) {
      jobs.enqueue(job("a"));
      jobs.enqueue(job("a"));
      await().until(() -> processor.counts().executed() == 2);
    }
    assertThat(effects).hasSize(2);
  }

  @Test
  void failuresKeptByPolicyAreNotRetried() {
    try (ExactlyOnceProcessor processor =
        start(
            (job, execution) -> {
              throw new IllegalStateException("never again");
            },
            QUICK.withPolicy(QUICK.policy().withOnFailure(FailurePolicy.STORE)))) {
      jobs.enqueue(job("a"));
      awaitState("a", JobState.FAILED);
      assertThat(processor.counts().retried()).isZero();
    }
  }
}

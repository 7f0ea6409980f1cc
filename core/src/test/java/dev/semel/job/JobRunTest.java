package dev.semel.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.StoreException;
import dev.semel.Token;
import dev.semel.event.Event;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.MemoryStore;
import dev.semel.idempotency.TakeoverPolicy;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.idempotency.spi.StoredRecord;
import dev.semel.job.spi.JobOperations.Entry;
import dev.semel.job.spi.JobQueue;
import dev.semel.job.spi.JobState;
import dev.semel.job.spi.ReservedJob;
import dev.semel.loop.Platform;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One job at a time, on clocks that stand still. */
final class JobRunTest {
  private static final Operation EXPORTS = new Operation("exports");
  private static final int ATTEMPTS = 100;

  private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
  private final List<Event> events = new CopyOnWriteArrayList<>();
  private final MemoryStore store = new MemoryStore(now::get);
  private final Idempotency idempotency = new Idempotency(store, events::add);
  private final MemoryJobs queue = new MemoryJobs(now::get);
  private final AtomicLong nanos = new AtomicLong();
  private final AtomicInteger effects = new AtomicInteger();
  private final JobHandler effect = (job, execution) -> effects.incrementAndGet();
  private final ProcessorSettings settings = ProcessorSettings.defaults();
  private boolean lucky = true;

  /** Resting moves the clock; chance is all or nothing. */
  private final Platform platform =
      new Platform() {
        @Override
        public long nanos() {
          return nanos.get();
        }

        @Override
        public void park(Object blocker, long time) {
          nanos.addAndGet(time);
        }

        @Override
        public long random(long bound) {
          return lucky ? bound - 1 : 0;
        }
      };

  @AfterEach
  void close() {
    idempotency.close();
  }

  private static Job job(String id) {
    return Job.of(key(id), "export " + id);
  }

  private static Key key(String id) {
    return Key.of(EXPORTS.name(), id);
  }

  private JobRun worker(JobQueue jobs, JobHandler handler) {
    return new JobRun(
        platform,
        new Jobs(jobs, idempotency.maintenance()),
        new JobWork(EXPORTS, idempotency, handler, settings),
        new QueueBreaker(
            platform, EXPORTS, settings.withCircuit(ATTEMPTS, Duration.ofSeconds(1)), events::add));
  }

  /** Puts it there and runs it. */
  private ProcessorCounts run(Job job, JobHandler handler) {
    queue.enqueue(job);
    JobRun worker = worker(queue, handler);
    worker.run(reserve(), ATTEMPTS);
    return worker.counts();
  }

  private ReservedJob reserve() {
    List<ReservedJob> reserved = queue.reserve(EXPORTS, 1, settings.lease());
    assertThat(reserved).hasSize(1);
    return reserved.getFirst();
  }

  private Entry entry(String id) {
    return queue.find(key(id)).orElseThrow();
  }

  private StoredRecord stored(String id) {
    return store.idempotency().find(key(id)).orElseThrow();
  }

  private <E extends Event> List<E> seen(Class<E> type) {
    return events.stream().filter(type::isInstance).map(type::cast).toList();
  }

  /** Unlike that of the executions' own store, which costs no attempt. */
  @Test
  void storeTroubleOfTheHandlerIsAFailureOfTheJob() {
    ProcessorCounts counts =
        run(
            job("a"),
            (job, execution) -> {
              throw new StoreException("the handler's own");
            });
    assertThat(counts.retried()).isOne();
    assertThat(counts.givenBack()).isZero();
    assertThat(entry("a").attempts()).isOne();
    assertThat(entry("a").error()).contains("the handler's own");
  }

  @Test
  void errorIsAFailureToo() {
    ProcessorCounts counts =
        run(
            job("a"),
            (job, execution) -> {
              throw new StackOverflowError();
            });
    assertThat(counts.retried()).isOne();
    assertThat(entry("a").state()).isEqualTo(JobState.PENDING);
    assertThat(entry("a").error()).startsWith("java.lang.StackOverflowError");
  }

  @Test
  void failureThatIsTheLastOneGivesTheKeyBack() {
    queue.enqueue(job("a"));
    JobRun worker =
        worker(
            queue,
            (job, execution) -> {
              throw new IllegalStateException("no");
            });
    worker.run(reserve(), 1);
    assertThat(entry("a").state()).isEqualTo(JobState.FAILED);
    assertThat(queue.enqueue(job("a"))).isInstanceOf(EnqueueResult.Added.class);
    worker(queue, effect).run(reserve(), 1);
    assertThat(effects.get()).isOne();
  }

  /** The queue had forgotten the first one, its record had not. */
  @Test
  void anotherJobUnderAKeyThatIsTakenIsRefusedForGood() {
    idempotency.execute(key("a"), Fingerprint.of("1"), Codec.bytes(), execution -> new byte[] {1});
    Job other = job("a").withFingerprint(Fingerprint.of("2"));
    assertThat(run(other, effect).failed()).isOne();
    assertThat(effects.get()).isZero();
    assertThat(entry("a").error()).contains("belongs to another job");
    assertThat(queue.enqueue(other.withId("again"))).isInstanceOf(EnqueueResult.Duplicate.class);
  }

  @Test
  void jobWhoseKeySomeoneHoldsWaitsForItsLeaseAndCountsNoAttempt() {
    Duration lease = Duration.ofSeconds(7);
    store
        .idempotency()
        .claim(
            new ClaimRequest(
                key("a"),
                Token.draw(),
                Fingerprint.NONE,
                lease,
                Duration.ofHours(1),
                TakeoverPolicy.IN_DOUBT,
                "someone"));
    assertThat(run(job("a"), effect).givenBack()).isOne();
    assertThat(effects.get()).isZero();
    assertThat(entry("a").state()).isEqualTo(JobState.PENDING);
    assertThat(entry("a").attempts()).isZero();
    assertThat(entry("a").due()).isEqualTo(now.get().plus(lease));
  }

  @Test
  void recordIsThatOfTheJob() {
    Job job = job("a").withRetention(Duration.ofHours(2)).withFingerprint(Fingerprint.of("x"));
    assertThat(run(job, effect).executed()).isOne();
    assertThat(stored("a").original().requestId()).isEqualTo(job.id());
    assertThat(stored("a").original().retentionLeft()).isEqualTo(Duration.ofHours(2));
    assertThat(stored("a").fingerprint()).isEqualTo(Fingerprint.of("x"));
  }

  @Test
  void recordIsKeptForALeaseAtLeast() {
    assertThat(run(job("a").withRetention(Duration.ofMillis(1)), effect).executed()).isOne();
    assertThat(stored("a").original().retentionLeft()).isEqualTo(settings.policy().lease());
  }

  @Test
  void jobThatWasDoneUnderItsOldKeyIsDone() {
    idempotency.execute(key("old"), Fingerprint.NONE, Codec.bytes(), execution -> new byte[0]);
    assertThat(run(job("a").withHeader(Jobs.OLD_ID, "old"), effect).duplicates()).isOne();
    assertThat(effects.get()).isZero();
    assertThat(entry("a").state()).isEqualTo(JobState.COMPLETED);
  }

  @Test
  void jobWhoseOldKeyIsItsKeyRuns() {
    assertThat(run(job("a").withHeader(Jobs.OLD_ID, "a"), effect).executed()).isOne();
  }

  /** The queue never heard of it, and there is no attempt left. */
  @Test
  void jobThatItsLastWorkerHadDoneIsNoDeadLetter() {
    idempotency.execute(key("a"), Fingerprint.NONE, Codec.bytes(), execution -> new byte[0]);
    queue.enqueue(job("a"));
    ReservedJob held = reserve();
    JobRun worker = worker(queue, effect);
    worker.run(new ReservedJob(held.job(), held.token(), 2, 1), 1);
    assertThat(worker.counts().duplicates()).isOne();
    assertThat(entry("a").state()).isEqualTo(JobState.COMPLETED);
    assertThat(seen(Event.JobBuried.class)).isEmpty();
    assertThat(effects.get()).isZero();
  }

  /** What its pauses are, in seconds. */
  private List<Double> pauses() {
    queue.enqueue(job("a"));
    JobRun worker =
        worker(
            queue,
            (job, execution) -> {
              throw new IllegalStateException("no");
            });
    for (int attempt = 0; attempt < 12; attempt++) {
      worker.run(reserve(), ATTEMPTS);
      now.set(entry("a").due());
    }
    return seen(Event.JobRetried.class).stream().map(each -> each.pause().toNanos() / 1e9).toList();
  }

  @Test
  void pausesDoubleUpToTheLongest() {
    assertThat(pauses())
        .containsExactly(1., 2., 4., 8., 16., 32., 64., 128., 256., 300., 300., 300.);
  }

  @Test
  void chanceTakesUpToHalfOfAPause() {
    lucky = false;
    assertThat(pauses()).containsExactly(.5, 1., 2., 4., 8., 16., 32., 64., 128., 150., 150., 150.);
  }

  /** The next worker finds in the job's record how it ended. */
  @Test
  void whatTheQueueDoesNotHearIsSaidForALeaseAndNoLonger() {
    AtomicInteger said = new AtomicInteger();
    JobQueue deaf =
        new ForwardingJobs(queue) {
          @Override
          public boolean complete(ReservedJob held) {
            said.incrementAndGet();
            throw new StoreException("away");
          }
        };
    queue.enqueue(job("a"));
    JobRun worker = worker(deaf, effect);
    worker.run(reserve(), ATTEMPTS);
    assertThat(said.get()).isGreaterThan(10);
    assertThat(nanos.get()).isEqualTo(settings.lease().toNanos());
    assertThat(worker.counts().executed()).isOne();

    now.updateAndGet(then -> then.plus(settings.lease()));
    assertThat(queue.reap(EXPORTS)).containsExactly(key("a"));
    JobRun next = worker(queue, effect);
    next.run(reserve(), ATTEMPTS);
    assertThat(next.counts().duplicates()).isOne();
    assertThat(effects.get()).isOne();
    assertThat(entry("a").state()).isEqualTo(JobState.COMPLETED);
  }

  /** It is another's: to say it more often would not help. */
  @Test
  void whatTheQueueRefusesIsSaidOnce() {
    queue.enqueue(job("a"));
    ReservedJob slow = reserve();
    now.updateAndGet(then -> then.plus(settings.lease()));
    assertThat(queue.reap(EXPORTS)).hasSize(1);
    ReservedJob quick = reserve();
    worker(queue, effect).run(slow, ATTEMPTS);
    assertThat(nanos.get()).isZero();
    assertThat(entry("a").state()).isEqualTo(JobState.PROCESSING);
    worker(queue, effect).run(quick, ATTEMPTS);
    assertThat(effects.get()).isOne();
    assertThat(entry("a").state()).isEqualTo(JobState.COMPLETED);
  }
}

package dev.semel.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.semel.InvalidInput;
import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.event.SemelListener;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.EffectUnknown;
import dev.semel.idempotency.FailurePolicy;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.MemoryStore;
import dev.semel.idempotency.TakeoverPolicy;
import dev.semel.job.DeadLetterReason;
import dev.semel.job.ExactlyOnceProcessor;
import dev.semel.job.Job;
import dev.semel.job.JobHandler;
import dev.semel.job.Jobs;
import dev.semel.job.MemoryJobs;
import dev.semel.job.ProcessorSettings;
import dev.semel.job.spi.JobOperations;
import dev.semel.job.spi.JobState;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class JobAdminTest {
  private static final Operation EXPORTS = new Operation("exports");
  private static final Key KEY = Key.of("exports", "a");

  /** A job whose record is in doubt stays in doubt: it never runs again without an operator. */
  private static final ProcessorSettings SETTINGS =
      ProcessorSettings.defaults()
          .withRetries(1, Duration.ofMillis(1), Duration.ofMillis(2))
          .withPoll(Duration.ofMillis(1))
          .withPolicy(ProcessorSettings.defaults().policy().withTakeover(TakeoverPolicy.IN_DOUBT));

  private final MemoryStore store = new MemoryStore(InstantSource.system());
  private final Idempotency idempotency = new Idempotency(store, SemelListener.NONE);
  private final MemoryJobs queue = new MemoryJobs(InstantSource.system());
  private final Jobs jobs = new Jobs(queue, idempotency.maintenance());
  private final JobAdmin admin = new JobAdmin(store, queue, "ann");
  private final List<String> effects = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() {
    idempotency.close();
  }

  private void awaitState(JobState state) {
    await().until(() -> queue.find(KEY).orElseThrow().state() == state);
  }

  /** Runs until the job is in this state, and as long as it must. */
  private void runUntil(JobState state, JobHandler handler, ProcessorSettings settings) {
    try (ExactlyOnceProcessor processor =
        ExactlyOnceProcessor.start(jobs, idempotency, EXPORTS, handler, settings)) {
      awaitState(state);
      assertThat(processor.counts().retried()).isZero();
    }
  }

  private List<String> audit() {
    return store.events().latest(1000).stream()
        .filter(line -> line.kind().equals("changed"))
        .map(line -> line.details() + line.personal().more())
        .toList();
  }

  @Test
  void jobInDoubtRunsAfterARetry() {
    jobs.enqueue(Job.of(KEY, "x"));
    runUntil(
        JobState.IN_DOUBT,
        (job, execution) -> {
          throw new EffectUnknown("the answer was lost", new IllegalStateException());
        },
        SETTINGS);

    assertThat(admin.retry(KEY)).isTrue();

    runUntil(JobState.COMPLETED, (job, execution) -> effects.add("ran"), SETTINGS);
    assertThat(effects).containsExactly("ran");
    assertThat(audit())
        .hasSize(2)
        .allSatisfy(line -> assertThat(line).contains("ann", KEY.text()))
        .anySatisfy(line -> assertThat(line).contains("force release key"))
        .anySatisfy(line -> assertThat(line).contains("retry job"));
  }

  @Test
  void jobThatFailedForGoodRunsAfterARetry() {
    jobs.enqueue(Job.of(KEY, "x"));
    ProcessorSettings keeping =
        SETTINGS.withPolicy(SETTINGS.policy().withOnFailure(FailurePolicy.STORE));
    AtomicBoolean broken = new AtomicBoolean(true);
    JobHandler handler =
        (job, execution) -> {
          if (broken.get()) {
            throw new IllegalStateException("declined");
          }
          effects.add("ran");
        };
    runUntil(JobState.FAILED, handler, keeping);
    broken.set(false);

    // A retry without releasing the record changes nothing: the job fails again.
    queue.requeue(JobOperations.Filter.of(KEY));
    runUntil(JobState.FAILED, handler, keeping);
    assertThat(effects).isEmpty();

    assertThat(admin.retry(KEY)).isTrue();

    runUntil(JobState.COMPLETED, handler, keeping);
    assertThat(effects).containsExactly("ran");
  }

  @Test
  void jobThatTookEffectDoesNotRunAgain() {
    idempotency.execute(KEY, Fingerprint.NONE, Codec.bytes(), execution -> new byte[0]);
    bury();

    assertThat(admin.retry(KEY)).isTrue();

    runUntil(JobState.COMPLETED, (job, execution) -> effects.add("ran"), SETTINGS);
    assertThat(effects).isEmpty();
    assertThat(audit()).singleElement().asString().contains("retry job");
  }

  /** As a worker does whose last word did not reach the queue. */
  private void bury() {
    jobs.enqueue(Job.of(KEY, "x"));
    queue.bury(
        queue.reserve(EXPORTS, 1, Duration.ofMinutes(1)).getFirst(),
        DeadLetterReason.GAVE_UP,
        "gone");
  }

  @Test
  void onlyDeadLettersGoBack() {
    jobs.enqueue(Job.of(KEY, "x"));
    assertThat(admin.retry(KEY)).isFalse();
    assertThat(admin.retry(Key.of("exports", "nobody"))).isFalse();
    assertThat(audit()).isEmpty();
  }

  private void buryMany(String name, int count) {
    Operation operation = new Operation(name);
    for (int i = 0; i < count; i++) {
      queue.enqueue(Job.of(Key.of(name, "j" + i), "x"));
      queue.bury(
          queue.reserve(operation, 1, Duration.ofMinutes(1)).getFirst(),
          DeadLetterReason.GAVE_UP,
          "gone");
    }
  }

  @Test
  void allOfAQueueOrOfAllGoBackAndEachIsWrittenDown() {
    buryMany("one", 250);
    buryMany("two", 3);
    assertThat(admin.dead(Optional.empty())).isEqualTo(253);
    assertThat(admin.dead(Optional.of(new Operation("two")))).isEqualTo(3);

    assertThat(admin.retryAll(Optional.of(new Operation("one")), so -> {})).isEqualTo(250);
    assertThat(admin.dead(Optional.empty())).isEqualTo(3);
    assertThat(admin.retryAll(Optional.empty(), so -> {})).isEqualTo(3);
    assertThat(admin.dead(Optional.empty())).isZero();
    assertThat(audit()).hasSize(253).allSatisfy(line -> assertThat(line).contains("retry job"));
  }

  /** Each is over again at once, and so could be given back for ever. */
  @Test
  void whatDiesAgainMeanwhileIsNotGivenBackAgain() {
    ProcessorSettings keeping =
        SETTINGS.withPolicy(SETTINGS.policy().withOnFailure(FailurePolicy.STORE));
    try (ExactlyOnceProcessor processor =
        ExactlyOnceProcessor.start(
            jobs,
            idempotency,
            EXPORTS,
            (job, execution) -> {
              throw new IllegalStateException("declined");
            },
            keeping)) {
      for (int i = 0; i < 300; i++) {
        jobs.enqueue(Job.of(Key.of("exports", "j" + i), "x"));
      }
      await().until(() -> admin.dead(Optional.empty()) == 300);

      assertThat(admin.retryAll(Optional.empty(), so -> {})).isEqualTo(300);

      await().until(() -> admin.dead(Optional.empty()) == 300);
      assertThat(processor.counts().failed()).isEqualTo(600);
    }
  }

  @Test
  void pagesGoThroughAllQueuesAndMeetEachJobOnce() {
    buryMany("one", 5);
    buryMany("three", 1);
    buryMany("two", 4);
    for (int limit = 1; limit <= 11; limit++) {
      List<Key> met = new ArrayList<>();
      String cursor = "";
      do {
        JobOperations.Page page = admin.list(Optional.empty(), Set.of(), cursor, limit);
        assertThat(page.entries()).hasSizeLessThanOrEqualTo(limit);
        page.entries().forEach(each -> met.add(each.key()));
        cursor = page.cursor();
      } while (!cursor.isEmpty());
      assertThat(met).as("pages of %d", limit).hasSize(10).doesNotHaveDuplicates();
    }
    assertThat(
            admin
                .list(Optional.of(new Operation("two")), Set.of(JobState.FAILED), "", 10)
                .entries())
        .hasSize(4);
    assertThat(admin.list(Optional.empty(), Set.of(JobState.PENDING), "", 10).entries()).isEmpty();
  }

  @Test
  void cursorOfAnotherListingIsRefused() {
    buryMany("one", 2);
    Optional<Operation> two = Optional.of(new Operation("two"));
    assertThatThrownBy(() -> admin.list(two, Set.of(), "one:1", 1))
        .isInstanceOf(InvalidInput.class);
    assertThatThrownBy(() -> admin.list(Optional.empty(), Set.of(), "x", 1))
        .isInstanceOf(InvalidInput.class);
  }
}

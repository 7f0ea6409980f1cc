package dev.semel.tck.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.Tenant;
import dev.semel.idempotency.Fingerprint;
import dev.semel.internal.Ids;
import dev.semel.job.DeadLetterReason;
import dev.semel.job.EnqueueResult;
import dev.semel.job.Job;
import dev.semel.job.JobPriority;
import dev.semel.job.spi.ExistingJob;
import dev.semel.job.spi.JobOperations;
import dev.semel.job.spi.JobQueue;
import dev.semel.job.spi.JobState;
import dev.semel.job.spi.ReservedJob;
import dev.semel.tck.AwkwardIds;
import dev.semel.tck.Racers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Everything that a {@link JobQueue} promises to its callers and workers. Extend it to test an
 * engine.
 */
public abstract class JobQueueContract {
  /** A lease or a pause that ends during a test: short, because a real engine must wait for it. */
  protected static final Duration SHORT = Duration.ofMillis(300);

  /**
   * As {@link #SHORT}, but long enough that a step happens before its end, even on a busy machine.
   */
  protected static final Duration AMPLE = Duration.ofSeconds(2);

  /** A time that does not end during a test, however slow the machine. */
  protected static final Duration LONG = Duration.ofMinutes(10);

  /** A different queue for each test. */
  protected final Operation queue = new Operation("q" + Ids.uuid7());

  protected abstract JobsUnderTest underTest();

  protected final JobQueue jobs() {
    return underTest().jobs();
  }

  protected final JobOperations operations() {
    return jobs().operations();
  }

  protected final Key key(String id) {
    return new Key(Tenant.DEFAULT, queue, id);
  }

  protected final Job job(String id) {
    return Job.of(key(id), "payload of " + id);
  }

  protected final void add(Job... all) {
    assertThat(jobs().enqueue(List.of(all))).allMatch(EnqueueResult.Added.class::isInstance);
  }

  /** Reserves the jobs that are available now. */
  protected final List<ReservedJob> reserve(int max) {
    return jobs().reserve(queue, max, LONG);
  }

  protected final ReservedJob reserveOne() {
    return reserveOne(LONG);
  }

  protected final ReservedJob reserveOne(Duration lease) {
    List<ReservedJob> reserved = jobs().reserve(queue, 1, lease);
    assertThat(reserved).as("a job that is due").hasSize(1);
    return reserved.getFirst();
  }

  protected final void assertNothingIsDue() {
    assertThat(reserve(10)).isEmpty();
  }

  protected static List<String> ids(List<ReservedJob> reserved) {
    return reserved.stream().map(each -> each.job().key().id()).toList();
  }

  protected final EnqueueResult.Original duplicate(Job job) {
    EnqueueResult answer = jobs().enqueue(job);
    assertThat(answer).isInstanceOf(EnqueueResult.Duplicate.class);
    return ((EnqueueResult.Duplicate) answer).original();
  }

  @Test
  void jobIsHandedOutAsItWasGiven() {
    byte[] payload = new byte[1000];
    IntStream.range(0, payload.length).forEach(i -> payload[i] = (byte) i);
    Job job =
        Job.of(key("a"), payload)
            .withHeader("traceparent", "00-1")
            .withHeader("größe", "日本語 🎉")
            .withFingerprint(Fingerprint.of("x"))
            .withRetention(Duration.ofMinutes(7))
            .withPriority(JobPriority.HIGH);
    add(job);
    ReservedJob reserved = reserveOne();
    assertThat(reserved.job().payload()).isEqualTo(payload);
    assertThat(reserved.job()).usingRecursiveComparison().ignoringFields("payload").isEqualTo(job);
    assertThat(reserved.attempt()).isOne();
    assertThat(reserved.lost()).isZero();
  }

  @Test
  void emptyPayloadIsOne() {
    add(Job.of(key("a"), ""));
    assertThat(reserveOne().job().payload()).isEmpty();
  }

  @Test
  void largestPayloadFits() {
    add(Job.of(key("a"), new byte[Job.MAX_PAYLOAD_BYTES]));
    assertThat(reserveOne().job().payload()).hasSize(Job.MAX_PAYLOAD_BYTES);
  }

  @Test
  void awkwardIdsAreToldApart() {
    Job[] all = AwkwardIds.ALL.stream().map(this::job).toArray(Job[]::new);
    add(all);
    assertThat(ids(reserve(all.length + 1))).containsExactlyInAnyOrderElementsOf(AwkwardIds.ALL);
  }

  @Test
  void tenantsAndQueuesAreApart() {
    Key other = new Key(new Tenant("other"), queue, "a");
    Key elsewhere = new Key(Tenant.DEFAULT, new Operation(queue.name() + "-2"), "a");
    add(job("a"), Job.of(other, "x"), Job.of(elsewhere, "x"));
    assertThat(reserve(10))
        .extracting(each -> each.job().key())
        .containsExactlyInAnyOrder(key("a"), other);
  }

  @Test
  void secondOneIsADuplicateWhereverTheFirstIs() {
    Job first = job("a");
    add(first);
    EnqueueResult.Original original = duplicate(job("a"));
    assertThat(original.id()).isEqualTo(first.id());
    assertThat(original.state()).isIn(JobState.PENDING, JobState.PROCESSING);
    ReservedJob reserved = reserveOne();
    assertThat(duplicate(job("a")).id()).isEqualTo(first.id());
    assertThat(jobs().complete(reserved)).isTrue();
    assertNothingIsDue();
  }

  @Test
  void whatIsDoneIsRememberedForItsOwnRetention() {
    assumeTrue(underTest().remembers(), "it only has what is to be done");
    add(job("short").withRetention(SHORT), job("long"));
    reserve(2).forEach(each -> assertThat(jobs().complete(each)).isTrue());
    assertThat(duplicate(job("long")).state()).isEqualTo(JobState.COMPLETED);
    underTest().elapse(SHORT);
    add(job("short"));
    assertThat(duplicate(job("long")).state()).isEqualTo(JobState.COMPLETED);
    assertThat(ids(reserve(10))).containsExactly("short");
  }

  @Test
  void whatCameAgainAfterItsRetentionIsNotReapedWithWhatWas() {
    assumeTrue(underTest().remembers(), "it only has what is to be done");
    add(job("a").withRetention(SHORT));
    assertThat(jobs().complete(reserveOne())).isTrue();
    underTest().elapse(SHORT);
    add(job("a"));
    assertThat(jobs().reap(queue)).isEmpty();
    duplicate(job("a"));
    assertThat(reserveOne().attempt()).isOne();
  }

  @Test
  void anotherJobUnderTheSameKeyIsRefused() {
    add(job("a").withFingerprint(Fingerprint.of("1")));
    assertThat(jobs().enqueue(job("a").withFingerprint(Fingerprint.of("2"))))
        .isInstanceOf(EnqueueResult.Mismatch.class);
    assertThat(jobs().enqueue(job("a").withFingerprint(Fingerprint.of("1"))))
        .isInstanceOf(EnqueueResult.Duplicate.class);
  }

  /** The decision table is core's; an engine that decides in another language must match it. */
  @Test
  void whoMeetsAJobOfItsKeyIsAnsweredByTheTable() {
    List<Fingerprint> firsts = List.of(Fingerprint.NONE, Fingerprint.of("1"));
    List<Fingerprint> seconds =
        List.of(Fingerprint.NONE, Fingerprint.of("1"), Fingerprint.of("2"), Fingerprint.clear("1"));
    for (int first = 0; first < firsts.size(); first++) {
      for (int second = 0; second < seconds.size(); second++) {
        for (boolean own : List.of(true, false)) {
          Job there =
              job("%d-%d-%s".formatted(first, second, own)).withFingerprint(firsts.get(first));
          Job other = own ? there : there.withId(Ids.uuid7().toString());
          Job meets = other.withFingerprint(seconds.get(second));
          add(there);
          assertThat(jobs().enqueue(meets))
              .as("%s meets %s", meets, there)
              .hasSameClassAs(ExistingJob.of(there).decide(meets));
        }
      }
    }
  }

  @Test
  void jobWithoutAFingerprintMatchesEveryOther() {
    add(job("none"), job("one").withFingerprint(Fingerprint.of("1")));
    duplicate(job("none").withFingerprint(Fingerprint.of("1")));
    duplicate(job("none").withFingerprint(Fingerprint.of("2")));
    duplicate(job("one"));
    assertThat(jobs().enqueue(job("one").withFingerprint(Fingerprint.of("2"))))
        .isInstanceOf(EnqueueResult.Mismatch.class);
  }

  @Test
  void sameRequestAgainIsItsOwn() {
    Job job = job("a");
    add(job);
    add(job);
    assertThat(reserve(10)).hasSize(1);
    add(job);
    assertNothingIsDue();
  }

  @Test
  void duplicatesWithinOneCallAreFound() {
    List<EnqueueResult> answers = jobs().enqueue(List.of(job("a"), job("b"), job("a")));
    assertThat(answers.subList(0, 2)).allMatch(EnqueueResult.Added.class::isInstance);
    assertThat(answers.get(2)).isInstanceOf(EnqueueResult.Duplicate.class);
    assertThat(ids(reserve(10))).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void ofManyWhoAskAtOnceOneAdds() {
    for (int round = 0; round < underTest().raceRounds(); round++) {
      String id = "race " + round;
      List<EnqueueResult> answers = Racers.onPlatformThreads(16, racer -> jobs().enqueue(job(id)));
      assertThat(answers).filteredOn(EnqueueResult.Added.class::isInstance).hasSize(1);
    }
    assertThat(reserve(100)).hasSize(underTest().raceRounds());
  }

  @Test
  void ofManyWorkersOneGetsEach() {
    List<String> ids = IntStream.range(0, 200).mapToObj(Integer::toString).toList();
    add(ids.stream().map(this::job).toArray(Job[]::new));
    Set<String> seen = ConcurrentHashMap.newKeySet();
    List<List<String>> taken =
        Racers.onPlatformThreads(
            8,
            racer -> {
              List<String> mine = new ArrayList<>();
              List<ReservedJob> got;
              do {
                got = reserve(7);
                mine.addAll(ids(got));
                seen.addAll(ids(got));
              } while (seen.size() < ids.size());
              return mine;
            });
    assertThat(taken.stream().flatMap(List::stream).toList())
        .containsExactlyInAnyOrderElementsOf(ids);
  }

  @Test
  void firstByPriorityThenByWhenTheyCame() {
    add(job("low").withPriority(JobPriority.LOW));
    add(job("1"));
    underTest().elapse(Duration.ofMillis(2));
    add(job("2"));
    add(job("high").withPriority(JobPriority.HIGH));
    List<String> order = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      order.add(reserveOne().job().key().id());
    }
    assertThat(order).containsExactly("high", "1", "2", "low");
  }

  @Test
  void noMoreThanAskedFor() {
    add(job("a"), job("b"), job("c"));
    assertThat(reserve(2)).hasSize(2);
    assertThat(reserve(2)).hasSize(1);
    assertNothingIsDue();
  }

  @Test
  void delayedOneWaitsForItsTime() {
    add(job("later").withDelay(SHORT), job("never").withDelay(LONG), job("now"));
    underTest().elapse(SHORT);
    assertThat(ids(reserve(10))).containsExactlyInAnyOrder("now", "later");
    assertNothingIsDue();
  }

  @Test
  void whatWasTakenIsNotHandedOutAgainWhileTheLeaseRuns() {
    add(job("a"));
    reserveOne();
    assertThat(jobs().reap(queue)).isEmpty();
    assertNothingIsDue();
  }

  @Test
  void whatAWorkerLostIsHandedOutAgain() {
    add(job("a"));
    ReservedJob lost = reserveOne(SHORT);
    underTest().elapse(SHORT);
    // Engines that redeliver lost jobs themselves have nothing to reap.
    assertThat(jobs().reap(queue)).isEqualTo(underTest().fences() ? List.of(key("a")) : List.of());
    ReservedJob again = reserveOne();
    assertThat(again.job().id()).isEqualTo(lost.job().id());
    assertThat(again.attempt()).isEqualTo(2);
    assertThat(again.lost()).isOne();
  }

  @Test
  void extendedLeaseHolds() {
    add(job("a"));
    ReservedJob held = reserveOne(AMPLE);
    assertThat(jobs().extend(List.of(held), LONG)).isEmpty();
    underTest().elapse(AMPLE);
    assertThat(jobs().reap(queue)).isEmpty();
    assertNothingIsDue();
    assertThat(jobs().complete(held)).isTrue();
  }

  @Test
  void workerThatLostItsJobChangesNothing() {
    assumeTrue(underTest().fences(), "it believes whoever says that a job is done");
    add(job("a"));
    ReservedJob lost = reserveOne(SHORT);
    underTest().elapse(SHORT);
    jobs().reap(queue);
    assertRefused(lost);
    ReservedJob again = reserveOne();
    assertRefused(lost);
    assertThat(jobs().complete(again)).isTrue();
    assertRefused(lost);
    assertThat(operations().find(key("a")).orElseThrow().state()).isEqualTo(JobState.COMPLETED);
  }

  @Test
  void workerThatLostItsJobDoesNotProlongTheLeaseOfTheNext() {
    assumeTrue(underTest().fences(), "it believes whoever says that a job is done");
    add(job("a"));
    ReservedJob lost = reserveOne(SHORT);
    underTest().elapse(SHORT);
    jobs().reap(queue);
    reserveOne(SHORT);
    assertThat(jobs().extend(List.of(lost), LONG)).containsExactly(lost);
    underTest().elapse(SHORT);
    assertThat(jobs().reap(queue)).containsExactly(key("a"));
  }

  private void assertRefused(ReservedJob lost) {
    assertThat(jobs().extend(List.of(lost), LONG)).containsExactly(lost);
    assertThat(jobs().complete(lost)).isFalse();
    assertThat(jobs().retry(lost, Duration.ZERO, "late")).isFalse();
    assertThat(jobs().giveBack(lost, Duration.ZERO)).isFalse();
    assertThat(jobs().bury(lost, DeadLetterReason.FINAL, "late")).isFalse();
  }

  @Test
  void whateverWasSaidMayBeSaidAgain() {
    add(job("done"), job("retried"), job("back"), job("buried"));
    for (ReservedJob each : reserve(4)) {
      for (int time = 0; time < 2; time++) {
        assertThat(
                switch (each.job().key().id()) {
                  case "done" -> jobs().complete(each);
                  case "retried" -> jobs().retry(each, LONG, "no");
                  case "back" -> jobs().giveBack(each, LONG);
                  default -> jobs().bury(each, DeadLetterReason.GAVE_UP, "no");
                })
            .isTrue();
      }
    }
    assertNothingIsDue();
  }

  @Test
  void failedOneComesAgainAfterItsPause() {
    add(job("soon"), job("late"));
    for (ReservedJob each : reserve(2)) {
      Duration pause = each.job().key().id().equals("soon") ? SHORT : LONG;
      assertThat(jobs().retry(each, pause, "it was busy")).isTrue();
    }
    underTest().elapse(SHORT);
    ReservedJob again = reserveOne();
    assertNothingIsDue();
    assertThat(again.job().key().id()).isEqualTo("soon");
    assertThat(again.attempt()).isEqualTo(2);
    assertThat(again.lost()).isZero();
  }

  @Test
  void whatIsGivenBackCountsAsUntouched() {
    add(job("a"));
    assertThat(jobs().giveBack(reserveOne(), Duration.ZERO)).isTrue();
    ReservedJob again = reserveOne();
    assertThat(again.attempt()).isOne();
    assertThat(again.lost()).isZero();
  }

  @Test
  void whatGaveUpRunsWhenItIsAskedForAgain() {
    add(job("a"));
    assertThat(jobs().bury(reserveOne(), DeadLetterReason.GAVE_UP, "ten times")).isTrue();
    assertNothingIsDue();
    add(job("a"));
    assertThat(reserveOne().attempt()).isOne();
  }

  @Test
  void whatFailedForGoodIsToldAgain() {
    assumeTrue(underTest().remembersDeadLetters(), "a dead letter does not keep its key");
    add(job("short").withRetention(SHORT), job("long"));
    reserve(2)
        .forEach(
            each -> assertThat(jobs().bury(each, DeadLetterReason.FINAL, "declined")).isTrue());
    underTest().elapse(SHORT);
    assertThat(duplicate(job("long")).state()).isEqualTo(JobState.FAILED);
    add(job("short"));
    ReservedJob again = reserveOne();
    assertThat(again.job().key().id()).isEqualTo("short");
    assertThat(again.attempt()).isOne();
  }

  @Test
  void whatIsInDoubtStaysThere() {
    assumeTrue(underTest().remembersDeadLetters(), "a dead letter does not keep its key");
    add(job("a").withRetention(SHORT));
    assertThat(jobs().bury(reserveOne(), DeadLetterReason.IN_DOUBT, "who knows")).isTrue();
    underTest().elapse(SHORT);
    jobs().reap(queue);
    assertThat(duplicate(job("a")).state()).isEqualTo(JobState.IN_DOUBT);
    assertNothingIsDue();
  }

  @Test
  void unknownQueueIsEmpty() {
    assertNothingIsDue();
    assertThat(jobs().reap(queue)).isEmpty();
    assertThat(operations().counts()).doesNotContainKey(queue);
  }
}

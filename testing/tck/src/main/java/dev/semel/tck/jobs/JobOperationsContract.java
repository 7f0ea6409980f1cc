package dev.semel.tck.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.semel.InvalidInput;
import dev.semel.Key;
import dev.semel.job.DeadLetterReason;
import dev.semel.job.EnqueueResult;
import dev.semel.job.Job;
import dev.semel.job.JobPriority;
import dev.semel.job.spi.JobOperations;
import dev.semel.job.spi.JobOperations.Counts;
import dev.semel.job.spi.JobOperations.Entry;
import dev.semel.job.spi.JobOperations.Filter;
import dev.semel.job.spi.JobOperations.Page;
import dev.semel.job.spi.JobQueue;
import dev.semel.job.spi.JobState;
import dev.semel.job.spi.ReservedJob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Everything that {@link JobOperations} promises to an operator, in addition to the queue's
 * promises.
 */
public abstract class JobOperationsContract extends JobQueueContract {
  private Counts counts() {
    return Objects.requireNonNull(operations().counts().get(queue));
  }

  private List<Key> listed(JobState... states) {
    return operations()
        .list(Filter.of(queue, states), "", JobOperations.MAX_PAGE)
        .entries()
        .stream()
        .map(Entry::key)
        .toList();
  }

  private void bury(String id, DeadLetterReason why, String error) {
    ReservedJob reserved = reserveOne();
    assertThat(reserved.job().key().id()).isEqualTo(id);
    assertThat(jobs().bury(reserved, why, error)).isTrue();
  }

  @Test
  void everythingIsCounted() {
    add(job("done"), job("failed"), job("doubt"), job("taken"));
    for (ReservedJob each : reserve(4)) {
      switch (each.job().key().id()) {
        case "done" -> jobs().complete(each);
        case "failed" -> jobs().bury(each, DeadLetterReason.GAVE_UP, "x");
        case "doubt" -> jobs().bury(each, DeadLetterReason.IN_DOUBT, "x");
        default -> {}
      }
    }
    add(job("due"), job("later").withDelay(LONG));
    underTest().elapse(Duration.ofMillis(50));
    Counts counts = counts();
    assertThat(counts.pending()).isEqualTo(2);
    assertThat(counts.processing()).isOne();
    assertThat(counts.dead()).isEqualTo(2);
    if (underTest().remembers()) {
      assertThat(counts.delayed()).isOne();
      assertThat(counts.completed()).isOne();
      assertThat(counts.failed()).isOne();
      assertThat(counts.inDoubt()).isOne();
      assertThat(counts.oldest().orElseThrow()).isBetween(Duration.ofMillis(50), LONG);
    }
  }

  @Test
  void listingGoesThroughAllPages() {
    add(IntStream.range(0, 25).mapToObj(i -> job("j" + i)).toArray(Job[]::new));
    List<Key> all = new ArrayList<>();
    String cursor = "";
    int pages = 0;
    do {
      Page page = operations().list(Filter.of(queue), cursor, 10);
      assertThat(page.entries().size()).isLessThanOrEqualTo(10);
      page.entries().forEach(entry -> all.add(entry.key()));
      cursor = page.cursor();
      pages++;
    } while (!cursor.isEmpty() && pages < 10);
    assertThat(all).hasSize(25).doesNotHaveDuplicates();
  }

  @Test
  void pageHasALimit() {
    for (int limit : new int[] {0, JobOperations.MAX_PAGE + 1}) {
      assertThatThrownBy(() -> operations().list(Filter.of(queue), "", limit))
          .isInstanceOf(InvalidInput.class);
    }
  }

  @Test
  void listingShowsEverythingButThePayload() {
    Job job = Job.of(key("a"), "12345").withPriority(JobPriority.HIGH);
    add(job);
    Entry entry = operations().find(key("a")).orElseThrow();
    assertThat(entry.id()).isEqualTo(job.id());
    assertThat(entry.state()).isEqualTo(JobState.PENDING);
    assertThat(entry.priority()).isEqualTo(JobPriority.HIGH);
    assertThat(entry.payloadBytes()).isEqualTo(5);
    assertThat(entry.attempts()).isZero();
    assertThat(entry.started()).isEmpty();
    assertThat(entry.ended()).isEmpty();
    assertThat(entry.error()).isEmpty();
    assertThat(Duration.between(entry.enqueued(), jobs().now()).abs()).isLessThan(LONG);
    assertThat(operations().list(Filter.of(queue), "", 10).entries()).containsExactly(entry);
  }

  @Test
  void attemptsAndFailuresAreShown() {
    assumeTrue(underTest().remembers(), "it only has what is to be done");
    add(job("a"));
    jobs().retry(reserveOne(), Duration.ZERO, "first\n\tat here");
    reserveOne();
    Entry taken = operations().find(key("a")).orElseThrow();
    assertThat(taken.state()).isEqualTo(JobState.PROCESSING);
    assertThat(taken.attempts()).isEqualTo(2);
    assertThat(taken.started()).isPresent();
    assertThat(taken.error()).isEqualTo("first\n\tat here");
  }

  @Test
  void endIsShown() {
    assumeTrue(underTest().remembers(), "it only has what is to be done");
    add(job("a"));
    jobs().complete(reserveOne());
    Entry done = operations().find(key("a")).orElseThrow();
    assertThat(done.state()).isEqualTo(JobState.COMPLETED);
    assertThat(done.ended()).isPresent();
  }

  @Test
  void longFailureIsCut() {
    add(job("a"));
    bury("a", DeadLetterReason.GAVE_UP, "x".repeat(JobQueue.MAX_ERROR_LENGTH + 1));
    assertThat(operations().find(key("a")).orElseThrow().error())
        .hasSize(JobQueue.MAX_ERROR_LENGTH);
  }

  /** Failures quote arbitrary text from the work. */
  @Test
  void failureOfAnyTextIsKept() {
    add(job("a"));
    bury("a", DeadLetterReason.GAVE_UP, "before \0 and \ud83c after");
    assertThat(operations().find(key("a")).orElseThrow().error())
        .startsWith("before ")
        .endsWith(" after");
  }

  @Test
  void statesAreListedApart() {
    add(job("dead"));
    bury("dead", DeadLetterReason.GAVE_UP, "no");
    add(job("waiting"));
    assertThat(listed(JobState.FAILED)).containsExactly(key("dead"));
    assertThat(listed(JobState.PENDING)).containsExactly(key("waiting"));
    assertThat(listed(JobState.FAILED, JobState.PENDING)).hasSize(2);
    assertThat(listed(JobState.IN_DOUBT)).isEmpty();
  }

  @Test
  void deadLetterTellsWhy() {
    add(job("a"));
    bury("a", DeadLetterReason.IN_DOUBT, "its worker died");
    Entry entry = operations().find(key("a")).orElseThrow();
    assertThat(entry.state()).isEqualTo(JobState.IN_DOUBT);
    assertThat(entry.error()).isEqualTo("its worker died");
    assertThat(entry.attempts()).isOne();
  }

  @Test
  void deadLettersGoBack() {
    add(job("a"));
    bury("a", DeadLetterReason.FINAL, "no");
    add(job("b"));
    bury("b", DeadLetterReason.IN_DOUBT, "no");
    add(job("c"));
    bury("c", DeadLetterReason.GAVE_UP, "no");
    assertThat(operations().requeue(Filter.of(key("a")))).containsExactly(key("a"));
    ReservedJob again = reserveOne();
    assertThat(again.job().text()).isEqualTo("payload of a");
    assertThat(again.attempt()).isOne();
    assertThat(operations().requeue(Filter.of(queue)))
        .containsExactlyInAnyOrder(key("b"), key("c"));
    assertThat(ids(reserve(10))).containsExactlyInAnyOrder("b", "c");
    assertThat(listed(JobState.FAILED, JobState.IN_DOUBT)).isEmpty();
  }

  @Test
  void payloadOfADeadLetterCanBeReadAndItStaysDead() {
    Job first = job("a").withHeader("trace", "t-1").withPriority(JobPriority.HIGH);
    add(first);
    bury("a", DeadLetterReason.IN_DOUBT, "no");
    Job read = operations().read(key("a")).orElseThrow();
    assertThat(read.text()).isEqualTo("payload of a");
    assertThat(read.headers()).isEqualTo(first.headers());
    assertThat(read.id()).isEqualTo(first.id());
    assertThat(read.priority()).isEqualTo(JobPriority.HIGH);
    assertThat(listed(JobState.IN_DOUBT)).containsExactly(key("a"));
    assertThat(operations().read(key("nobody"))).isEmpty();
  }

  @Test
  void oneThatGaveUpIsReplacedByAnotherPayloadInOneStep() {
    add(job("a"));
    bury("a", DeadLetterReason.GAVE_UP, "no");
    Job mended = operations().read(key("a")).orElseThrow().withId("mended");
    assertThat(jobs().enqueue(mended.withPayload(new byte[] {'n', 'e', 'w'})))
        .isInstanceOf(EnqueueResult.Added.class);
    assertThat(reserveOne().job().text()).isEqualTo("new");
    assertThat(listed(JobState.FAILED)).isEmpty();
  }

  @Test
  void whatIsNotDeadStaysWhereItIs() {
    add(job("taken"));
    reserveOne();
    add(job("waiting"));
    assertThat(operations().requeue(Filter.of(queue))).isEmpty();
    assertThat(operations().requeue(Filter.of(key("nobody")))).isEmpty();
    assertThat(ids(reserve(10))).containsExactly("waiting");
  }

  @Test
  void purgeLeavesWhatAWorkerHas() {
    add(job("dead"));
    bury("dead", DeadLetterReason.GAVE_UP, "no");
    add(job("taken"));
    ReservedJob taken = reserveOne();
    add(job("waiting"));
    assertThat(operations().purge(Filter.of(queue, JobState.FAILED))).isOne();
    assertThat(listed(JobState.FAILED)).isEmpty();
    assertThat(operations().purge(Filter.of(queue))).isOne();
    assertNothingIsDue();
    assertThat(jobs().complete(taken)).isTrue();
    add(job("dead"), job("waiting"));
    assertThat(reserve(10)).hasSize(2);
  }

  @Test
  void peekTakesNothing() {
    add(job("b").withPriority(JobPriority.LOW), job("a"));
    assertThat(operations().peek(queue, 1)).extracting(Job::text).containsExactly("payload of a");
    assertThat(operations().peek(queue, 10)).hasSize(2);
    assertThat(reserve(10)).extracting(ReservedJob::attempt).containsExactly(1, 1);
  }
}

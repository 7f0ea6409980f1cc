package dev.semel.nats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.InvalidInput;
import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.StoreException;
import dev.semel.Tenant;
import dev.semel.internal.Ids;
import dev.semel.job.DeadLetterReason;
import dev.semel.job.EnqueueResult;
import dev.semel.job.Job;
import dev.semel.job.JobPriority;
import dev.semel.job.spi.JobOperations.Entry;
import dev.semel.job.spi.JobOperations.Filter;
import dev.semel.job.spi.JobState;
import dev.semel.job.spi.ReservedJob;
import dev.semel.junit.Patience;
import dev.semel.tck.Racers;
import dev.semel.testservices.NatsService;
import dev.semel.testservices.SharedServices;
import io.nats.client.Connection;
import io.nats.client.Nats;
import io.nats.client.Subscription;
import io.nats.client.api.MessageInfo;
import io.nats.client.impl.Headers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;

/** The leftovers of a crash between two steps, and the broker's memory. */
@Tag("service")
@ExtendWith(SharedServices.class)
@Isolated("the locale")
final class JetStreamJobsTest {
  private static final Duration LONG = Duration.ofMinutes(10);
  private static final Duration SHORT = Duration.ofMillis(300);
  private static final Duration LIMIT = Patience.LIMIT;

  private final Operation queue = new Operation("q." + Ids.uuid7());
  private final StreamSettings stream = JetStreamJobsUnderTest.stream();
  private final NatsService nats;
  private final List<JetStreamJobsUnderTest> opened = new ArrayList<>();

  JetStreamJobsTest(NatsService nats) {
    this.nats = nats;
  }

  @AfterEach
  void close() {
    opened.forEach(JetStreamJobsUnderTest::close);
  }

  private JetStreamJobs open(NatsService on, StreamSettings settings) {
    JetStreamJobsUnderTest underTest = new JetStreamJobsUnderTest(on, settings);
    opened.add(underTest);
    return (JetStreamJobs) underTest.jobs();
  }

  private JetStreamJobs open() {
    return open(nats, stream);
  }

  private Job job(String id) {
    return Job.of(new Key(Tenant.DEFAULT, queue, id), "payload of " + id);
  }

  private ReservedJob reserveOne(JetStreamJobs jobs, Duration lease) {
    List<ReservedJob> reserved = jobs.reserve(queue, 10, lease);
    assertThat(reserved).hasSize(1);
    return reserved.getFirst();
  }

  private static void add(JetStreamJobs jobs, Job job) {
    assertThat(jobs.enqueue(job)).isEqualTo(new EnqueueResult.Added());
  }

  @Test
  void keyIsKnownAtAnyPriorityBeyondTheWindow() {
    JetStreamJobs jobs = open(nats, stream.withDuplicateWindow(Duration.ofMillis(100)));
    Job first = job("a").withPriority(JobPriority.LOW);
    add(jobs, first);
    opened.getFirst().elapse(SHORT);
    for (JobPriority priority : JobPriority.values()) {
      assertThat(jobs.enqueue(job("a").withPriority(priority)))
          .isInstanceOfSatisfying(
              EnqueueResult.Duplicate.class,
              duplicate -> assertThat(duplicate.original().id()).isEqualTo(first.id()));
    }
    reserveOne(jobs, LONG);
  }

  /**
   * Both jobs' messages are gone, and one was before the first message that the stream still has.
   */
  @Test
  void deadLettersGoBackWhateverElseTheStreamHas() {
    JetStreamJobs jobs = open();
    for (String id : List.of("oldest", "other")) {
      add(jobs, job(id));
      assertThat(jobs.bury(reserveOne(jobs, LONG), DeadLetterReason.IN_DOUBT, "who knows"))
          .isTrue();
    }
    add(jobs, job("waits"));
    for (String id : List.of("other", "oldest")) {
      assertThat(jobs.operations().requeue(Filter.of(job(id).key())))
          .containsExactly(job(id).key());
    }
    assertThat(jobs.reserve(queue, 10, LONG)).hasSize(3);
    assertThat(jobs.operations().list(Filter.of(queue, JobState.IN_DOUBT), "", 10).entries())
        .isEmpty();
  }

  /**
   * A server may permanently count zero messages, and answers a request without waiting by that
   * count; a request that may wait makes it search. A test can't cause the wrong count.
   */
  @Test
  void serverIsMadeToLookNowAndThen() throws Exception {
    JetStreamJobs jobs = open();
    add(jobs, job("a"));
    reserveOne(jobs, LONG);
    Connection witness = Nats.connect(nats.url());
    try {
      Subscription asked =
          witness.subscribe(
              "$JS.API.CONSUMER.MSG.NEXT.%s.%s"
                  .formatted(stream.name(), JobSubjects.consumer(queue, JobPriority.NORMAL)));
      witness.flush(LIMIT);
      List<Boolean> looks = new ArrayList<>();
      for (int time = 0; time < 3; time++) {
        assertThat(jobs.reserve(queue, 1, LONG)).isEmpty();
        byte[] request = Objects.requireNonNull(asked.nextMessage(LIMIT)).getData();
        looks.add(new String(request, StandardCharsets.US_ASCII).contains("expires"));
        if (time > 0) {
          opened.getFirst().elapse(Duration.ofSeconds(1));
        }
      }
      assertThat(looks).startsWith(true).endsWith(true);
    } finally {
      witness.close();
    }
  }

  @Test
  void ofManyWithDifferentPrioritiesOneAdds() {
    JetStreamJobs jobs = open();
    List<JobPriority> priorities = List.of(JobPriority.values());
    for (int round = 0; round < 10; round++) {
      String id = "race " + round;
      List<EnqueueResult> answers =
          Racers.onPlatformThreads(
              12, racer -> jobs.enqueue(job(id).withPriority(priorities.get(racer % 3))));
      assertThat(answers).filteredOn(EnqueueResult.Added.class::isInstance).hasSize(1);
    }
    assertThat(jobs.reserve(queue, 100, LONG)).hasSize(10);
  }

  @Test
  void whatIsDoneIsKnownForTheWindowAndNoLonger() {
    JetStreamJobs jobs = open(nats, stream.withDuplicateWindow(Duration.ofSeconds(2)));
    add(jobs, job("a"));
    jobs.complete(reserveOne(jobs, LONG));
    assertThat(jobs.enqueue(job("a").withPriority(JobPriority.HIGH)))
        .isInstanceOfSatisfying(
            EnqueueResult.Duplicate.class,
            duplicate -> assertThat(duplicate.original().state()).isEqualTo(JobState.COMPLETED));
    long start = System.nanoTime();
    while (!(jobs.enqueue(job("a")) instanceof EnqueueResult.Added)) {
      assertThat(System.nanoTime() - start).isLessThan(LIMIT.toNanos());
    }
    reserveOne(jobs, LONG);
  }

  @Test
  void burialThatWasBegunIsFinishedByTheNextWorker() {
    JetStreamJobs jobs = open();
    add(jobs, job("a"));
    jobs.letter(reserveOne(jobs, SHORT), DeadLetterReason.FINAL, "declined");
    opened.getFirst().elapse(SHORT);
    assertThat(jobs.reserve(queue, 10, LONG)).isEmpty();
    Entry entry = jobs.operations().find(job("a").key()).orElseThrow();
    assertThat(entry.state()).isEqualTo(JobState.FAILED);
    assertThat(jobs.operations().counts().get(queue))
        .satisfies(counts -> assertThat(Objects.requireNonNull(counts).pending()).isZero());
    assertThat(jobs.enqueue(job("a"))).isInstanceOf(EnqueueResult.Duplicate.class);
  }

  @Test
  void burialThatWasBegunDoesNotLetTheJobRunBesideItsSuccessor() {
    JetStreamJobs jobs = open();
    add(jobs, job("a"));
    jobs.letter(reserveOne(jobs, SHORT), DeadLetterReason.GAVE_UP, "ten times");
    add(jobs, job("a").withPriority(JobPriority.HIGH));
    opened.getFirst().elapse(SHORT);
    ReservedJob successor = reserveOne(jobs, LONG);
    assertThat(successor.job().priority()).isEqualTo(JobPriority.HIGH);
    assertThat(successor.attempt()).isOne();
    jobs.complete(successor);
    assertThat(jobs.operations().find(job("a").key())).isEmpty();
  }

  @Test
  void whatWasPutBackRunsOnceAlthoughItsDeadLetterWasLeft() throws Exception {
    JetStreamJobs jobs = open();
    add(jobs, job("a"));
    jobs.bury(reserveOne(jobs, LONG), DeadLetterReason.FINAL, "no");
    putBackAndCrash();
    assertThat(jobs.operations().list(Filter.of(queue), "", 10).entries())
        .singleElement()
        .satisfies(entry -> assertThat(entry.state()).isEqualTo(JobState.PENDING));
    assertThat(jobs.operations().requeue(Filter.of(queue))).isEmpty();
    jobs.complete(reserveOne(jobs, LONG));
    assertThat(jobs.operations().requeue(Filter.of(queue))).isEmpty();
    assertThat(jobs.operations().counts()).doesNotContainKey(queue);
  }

  /** The first half of a requeue, followed by a crash. */
  private void putBackAndCrash() throws Exception {
    String dead = new JobSubjects(stream.name()).of(job("a").key(), JobSubjects.FAILED);
    Connection connection = Nats.connect(nats.url());
    try {
      MessageInfo letter = connection.jetStreamManagement().getLastMessage(stream.name(), dead);
      Job again = JobRecord.of(letter).job();
      Headers headers = JobRecord.headers(again);
      headers.put(JobRecord.REPLACES, Long.toString(letter.getSeq()));
      headers.put(NatsMessages.MESSAGE_ID, JobSubjects.hash(again.key()) + "." + letter.getSeq());
      connection
          .jetStream()
          .publish(
              new JobSubjects(stream.name()).job(again.key(), again.priority()),
              headers,
              again.payload());
    } finally {
      connection.close();
    }
  }

  @Test
  void completionThatIsNotConfirmedIsNotCalledOne() {
    try (NatsService own = JetStreamJobsUnderTest.start()) {
      JetStreamJobs jobs = open(own, stream);
      add(jobs, job("a"));
      ReservedJob held = reserveOne(jobs, LONG);
      own.freeze();
      try {
        assertThatThrownBy(() -> jobs.complete(held)).isInstanceOf(StoreException.class);
      } finally {
        own.thaw();
      }
      assertThat(jobs.complete(held)).isTrue();
      assertThat(jobs.operations().find(job("a").key())).isEmpty();
    }
  }

  @Test
  void jobsAndTheirNotesOutliveTheServer() {
    try (NatsService own = JetStreamJobsUnderTest.start()) {
      JetStreamJobs jobs = open(own, stream);
      add(jobs, job("a"));
      jobs.retry(reserveOne(jobs, LONG), Duration.ZERO, "first");
      jobs.giveBack(reserveOne(jobs, LONG), LONG);
      own.restart();
      Entry entry = open(own, stream).operations().find(job("a").key()).orElseThrow();
      assertThat(entry.state()).isEqualTo(JobState.PENDING);
      assertThat(entry.attempts()).isOne();
      assertThat(entry.error()).isEqualTo("first");
    }
  }

  @Test
  void workerWhoseLeaseEndedKnowsByItself() {
    JetStreamJobs jobs = open();
    add(jobs, job("a"));
    ReservedJob held = reserveOne(jobs, SHORT);
    opened.getFirst().elapse(SHORT);
    assertThat(jobs.extend(List.of(held), LONG)).containsExactly(held);
    assertThat(jobs.retry(held, Duration.ZERO, "late")).isFalse();
    assertThat(jobs.bury(held, DeadLetterReason.FINAL, "late")).isFalse();
    assertThat(reserveOne(jobs, LONG).lost()).isOne();
  }

  @Test
  void streamThatIsNotForJobsIsRefused() {
    JetStreamSettings usual =
        JetStreamUnderTest.settings(nats, StreamSettings.of(stream.name(), stream.name() + ".>"));
    assertThatThrownBy(() -> JetStreamJobs.connect(usual)).isInstanceOf(InvalidInput.class);
    open();
    assertThatThrownBy(() -> open(nats, stream.withDuplicateWindow(Duration.ofMinutes(3))))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("duplicate window");
    JetStreamSettings same = JetStreamUnderTest.settings(nats, stream);
    JetStreamJobs other = JetStreamJobs.connect(same, Duration.ofSeconds(7));
    try {
      add(other, job("a"));
      reserveOne(opened.getFirst());
      assertThatThrownBy(() -> other.reserve(queue, 1, LONG))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("lease");
    } finally {
      other.close();
    }
  }

  private void reserveOne(JetStreamJobsUnderTest from) {
    assertThat(from.jobs().reserve(queue, 1, LONG)).hasSize(1);
  }

  @Test
  void smallServerIsAHazard() {
    assertThat(open().hazards()).anyMatch(hazard -> hazard.contains("max_payload"));
  }

  @Test
  void theServerIsToldNumbersInItsOwnDigits() {
    Locale usual = Locale.getDefault();
    Locale.setDefault(Locale.forLanguageTag("ar-EG"));
    try {
      JetStreamJobs jobs = open();
      add(jobs, job("a"));
      ReservedJob held = reserveOne(jobs, LONG);
      assertThat(jobs.extend(List.of(held), LONG)).isEmpty();
      assertThat(jobs.retry(held, Duration.ZERO, "once more")).isTrue();
      assertThat(jobs.complete(reserveOne(jobs, LONG))).isTrue();
      assertThat(jobs.operations().list(Filter.of(queue), "", 10).entries()).isEmpty();
    } finally {
      Locale.setDefault(usual);
    }
  }

  /** Covers answers just before, after and during the cancellation of a pull. */
  @Test
  void anAnswerThatComesAsItIsCalledOffIsNoBrokenConnection() {
    JetStreamSettings settings = JetStreamUnderTest.settings(nats, stream);
    EnqueueResult unused =
        open(nats, stream).enqueue(Job.of(new Key(Tenant.DEFAULT, queue, "a"), "1"));
    try (NatsLink link = NatsLink.open(settings)) {
      JobStream jobs = new JobStream(link, stream.name(), settings.publishTimeout());
      JobSubjects subjects = new JobSubjects(stream.name());
      int pulled = 0;
      for (int micros = 0; micros < 2000; micros += 5) {
        Duration patience = Duration.ofNanos(1 + micros * 1000L);
        JobConsumers hasty =
            new JobConsumers(jobs, subjects, JetStreamJobsUnderTest.LEASE, patience);
        assertThat(hasty.ready(queue)).isTrue();
        pulled += hasty.pull(queue, JobPriority.NORMAL, 10).size();
      }
      assertThat(pulled).isLessThanOrEqualTo(1);
    }
  }
}

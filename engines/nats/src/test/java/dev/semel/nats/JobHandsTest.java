package dev.semel.nats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.job.Job;
import dev.semel.job.spi.ReservedJob;
import dev.semel.nats.JobHands.Held;
import dev.semel.nats.JobNotes.Note;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class JobHandsTest {
  private static final Job JOB = Job.of(Key.of("mail", "a"), "1");

  /** Without a stream, because these tests never ask the broker. */
  @SuppressWarnings("NullAway")
  private final JobHands hands = new JobHands(null, Duration.ofMinutes(1));

  private ReservedJob take(Duration lease) {
    JobRecord found = new JobRecord("any", 1, Instant.EPOCH, JobRecord.headers(JOB), JOB.payload());
    Held held = new Held(found, "answer", 1, System.nanoTime() + lease.toNanos());
    return new ReservedJob(JOB, hands.hold(held, Note.none(1), false), 1, 0);
  }

  private boolean end(ReservedJob reserved) {
    return hands.end(reserved, true, one -> {});
  }

  @Test
  void aJobThatTakesLongIsNotForgottenOverManyShortOnes() {
    ReservedJob abandoned = take(Duration.ZERO);
    ReservedJob lasting = take(Duration.ofMinutes(1));
    ReservedJob first = take(Duration.ofMinutes(1));
    assertThat(end(first)).isTrue();
    for (int i = 0; i < JobHands.MAX_KNOWN; i++) {
      assertThat(end(take(Duration.ofMinutes(1)))).isTrue();
    }
    assertThat(end(abandoned)).as("a limit there is").isFalse();
    assertThat(end(first)).isFalse();
    assertThat(end(lasting)).isTrue();
  }
}

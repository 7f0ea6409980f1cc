package dev.semel.job.spi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.idempotency.Fingerprint;
import dev.semel.job.DeadLetterReason;
import dev.semel.job.EnqueueResult;
import dev.semel.job.Job;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class ExistingJobTest {
  private static Fingerprint fingerprint(String text) {
    return text.isEmpty() ? Fingerprint.NONE : Fingerprint.of(text);
  }

  /** The whole table: what the first one is, what comes, whose it is, and what follows. */
  @ParameterizedTest
  @CsvSource({
    "'', '', own, Added",
    "'', '', other, Duplicate",
    "'', 1, own, Added",
    "'', 1, other, Duplicate",
    "1, '', own, Added",
    "1, '', other, Duplicate",
    "1, 1, own, Added",
    "1, 1, other, Duplicate",
    "1, 2, own, Mismatch",
    "1, 2, other, Mismatch",
  })
  void answerFollowsFromFingerprintsAndIds(String first, String second, String whose, String told) {
    Job there = Job.of(Key.of("exports", "a"), "").withFingerprint(fingerprint(first));
    Job meets = there.withFingerprint(fingerprint(second));
    assertThat(
            ExistingJob.of(there)
                .decide(whose.equals("own") ? meets : meets.withId("another"))
                .getClass()
                .getSimpleName())
        .isEqualTo(told);
  }

  @ParameterizedTest
  @EnumSource
  void whoComesIsToldOfTheOneThatIsThere(JobState state) {
    ExistingJob there = new ExistingJob("1", Fingerprint.NONE, state, 3, Duration.ofSeconds(4));
    assertThat(there.decide(Job.of(Key.of("exports", "a"), "")))
        .isEqualTo(
            new EnqueueResult.Duplicate(
                new EnqueueResult.Original("1", state, 3, Duration.ofSeconds(4))));
  }

  @Test
  void onlyAJobThatFailedTooOftenMakesWay() {
    assertThat(DeadLetterReason.values())
        .filteredOn(why -> !why.keepsItsKey())
        .containsOnly(DeadLetterReason.GAVE_UP);
  }
}

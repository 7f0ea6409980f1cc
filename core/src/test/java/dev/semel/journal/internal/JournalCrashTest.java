package dev.semel.journal.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.journal.internal.CrashRun.Flaw;
import dev.semel.journal.internal.CrashRun.Tally;
import dev.semel.junit.proof.ProofRun;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Thousands of crashes, at every operation and in recovery itself, on a disk that forgets. */
class JournalCrashTest {
  private static final int SEEDS = 3_000;

  /** {@code -Dsemel.seed=17} runs that one alone. */
  private static LongStream seeds() {
    Long seed = Long.getLong("semel.seed");
    return seed == null ? LongStream.range(0, SEEDS) : LongStream.of(seed);
  }

  @Test
  void whatWasCommittedSurvivesEveryCrash() {
    Tally tally = new Tally();
    seeds().forEach(seed -> CrashRun.run(seed, Flaw.NONE, tally));
    if (Long.getLong("semel.seed") == null) {
      assertThat(tally.recoveries).isGreaterThan(4 * SEEDS);
      assertThat(tally.crashesInRecovery).isGreaterThan(SEEDS / 10);
      assertThat(tally.diskErrors).isGreaterThan(SEEDS / 10);
      assertThat(tally.uncommittedKept).isGreaterThan(SEEDS / 10);
      assertThat(tally.uncommittedCut).isGreaterThan(SEEDS / 10);
      assertThat(tally.snapshotsRead).isGreaterThan(SEEDS / 10);
    }
  }

  @Test
  @Tag("proof")
  void soItIsOverALongerTime(TestReporter report) {
    long first = ProofRun.seed();
    int count = ProofRun.volume(100_000, 2_000_000);
    report.publishEntry(Map.of("seed", "" + first, "seeds", "" + count));
    Tally tally = new Tally();
    LongStream.range(first, first + count).forEach(seed -> CrashRun.run(seed, Flaw.NONE, tally));
    report.publishEntry("crashes", "" + tally.recoveries);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void anythingTakenOutIsFoundOut(Flaw flaw) {
    assertThatThrownBy(
            () -> LongStream.range(0, 300).forEach(s -> CrashRun.run(s, flaw, new Tally())))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("-Dsemel.seed=");
  }
}

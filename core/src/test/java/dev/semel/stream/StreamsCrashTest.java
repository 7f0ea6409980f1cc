package dev.semel.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.junit.proof.ProofRun;
import dev.semel.stream.StreamsCrashRun.Flaw;
import dev.semel.stream.StreamsCrashRun.Tally;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Thousands of crashes of the engine on a journal, at every operation and in recovery itself. */
class StreamsCrashTest {
  private static final int SEEDS = 1_000;

  /** {@code -Dsemel.seed=17} runs that one alone. */
  private static LongStream seeds() {
    Long seed = Long.getLong("semel.seed");
    return seed == null ? LongStream.range(0, SEEDS) : LongStream.of(seed);
  }

  @Test
  void whatWasAnsweredSurvivesEveryCrash() {
    Tally tally = new Tally();
    seeds().forEach(seed -> StreamsCrashRun.run(seed, Flaw.NONE, tally));
    if (Long.getLong("semel.seed") == null) {
      assertThat(tally.recoveries).isGreaterThan(3 * SEEDS);
      assertThat(tally.crashesInRecovery).isGreaterThan(SEEDS / 10);
      assertThat(tally.torn).isGreaterThan(SEEDS / 10);
      assertThat(tally.checkpoints).isGreaterThan(SEEDS / 10);
      assertThat(tally.appended).isGreaterThan(10 * SEEDS);
      assertThat(tally.repeated).isGreaterThan(SEEDS);
      assertThat(tally.created).isGreaterThan(SEEDS);
      assertThat(tally.forks).isGreaterThan(SEEDS);
      assertThat(tally.read).isGreaterThan(SEEDS);
    }
  }

  @Test
  @Tag("proof")
  void soItIsOverALongerTime(TestReporter report) {
    long first = ProofRun.seed();
    int count = ProofRun.volume(50_000, 1_000_000);
    report.publishEntry(Map.of("seed", "" + first, "seeds", "" + count));
    Tally tally = new Tally();
    LongStream.range(first, first + count)
        .forEach(seed -> StreamsCrashRun.run(seed, Flaw.NONE, tally));
    report.publishEntry(Map.of("crashes", "" + tally.recoveries, "appends", "" + tally.appended));
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void anythingTakenOutIsFoundOut(Flaw flaw) {
    assertThatThrownBy(
            () ->
                LongStream.range(0, 1_000).forEach(s -> StreamsCrashRun.run(s, flaw, new Tally())))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("-Dsemel.seed=");
  }
}

package dev.semel.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.stream.StreamsCrashRun.Flaw;
import dev.semel.stream.StreamsCrashRun.Tally;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
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
  void soItIsOverALongerTime() {
    LongStream.range(SEEDS, 50_000)
        .forEach(seed -> StreamsCrashRun.run(seed, Flaw.NONE, new Tally()));
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

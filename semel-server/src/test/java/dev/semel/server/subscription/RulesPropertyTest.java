package dev.semel.server.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Random streams, subscriptions, workers, lost and late messages and crashes; what must hold does,
 * and in the end all work is done.
 */
final class RulesPropertyTest {
  private static final int SEEDS = 300;
  private static final int STEPS = 400;

  @Test
  void nothingIsLostAndNobodyIsFooled() {
    run(1, SEEDS);
  }

  @Test
  @Tag("proof")
  void nothingIsLostInManyMoreRuns() {
    run(10_000, 20 * SEEDS);
  }

  private static void run(long firstSeed, int seeds) {
    long granted = 0;
    long crashes = 0;
    for (long seed = firstSeed; seed < firstSeed + seeds; seed++) {
      RandomRun run = new RandomRun(seed);
      try {
        for (int i = 0; i < STEPS; i++) {
          run.step();
        }
        run.finish();
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("seed " + seed + "\n" + run.story(), e);
      }
      granted += run.told();
      crashes += run.crashes();
    }
    // A run in which nothing happens proves nothing.
    assertThat(granted).isGreaterThan(10L * seeds);
    assertThat(crashes).isGreaterThan(seeds);
  }
}

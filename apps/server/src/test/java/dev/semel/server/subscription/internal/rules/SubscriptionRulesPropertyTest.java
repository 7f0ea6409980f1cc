package dev.semel.server.subscription.internal.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.junit.proof.ProofRun;
import dev.semel.server.subscription.RandomRun;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/**
 * Random streams, subscriptions, workers, lost and late messages and crashes: the invariants hold,
 * and in the end all work is done.
 */
final class SubscriptionRulesPropertyTest {
  private static final int SEEDS = 300;
  private static final int STEPS = 400;

  @Test
  void nothingIsLostAndNobodyIsFooled(TestReporter report) {
    run(report, 1, SEEDS);
  }

  @Test
  @Tag("proof")
  void nothingIsLostInManyMoreRuns(TestReporter report) {
    run(report, ProofRun.seed(), ProofRun.volume(100, 2_000) * SEEDS);
  }

  private static void run(TestReporter report, long firstSeed, int seeds) {
    report.publishEntry(Map.of("seed", "" + firstSeed, "seeds", "" + seeds));
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
    report.publishEntry("crashes", "" + crashes);
    // A run without events proves nothing.
    assertThat(granted).isGreaterThan(10L * seeds);
    assertThat(crashes).isGreaterThan(seeds);
  }
}

package dev.semel.proof.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.junit.proof.ProofRun;
import dev.semel.proof.simulation.OutboxSimulation.Mutation;
import dev.semel.proof.simulation.OutboxSimulation.Result;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class OutboxSimulationTest {
  /** {@code -Dsemel.seed=17} runs that one alone. */
  private static final String SEED = "semel.seed";

  private static final int SEEDS = 250;
  private static final int MUTANT_SEEDS = 100;
  private static final int PROOF_SEEDS = ProofRun.volume(60_000, 1_000_000);

  @Test
  void everyMessageTakesEffectOnceAndInOrder() {
    Long only = Long.getLong(SEED);
    Set<NetworkFault> injected = EnumSet.noneOf(NetworkFault.class);
    int[] duplicates = {0};
    LongStream.range(0, only == null ? SEEDS : 1)
        .parallel() // each is a world of its own
        .mapToObj(i -> clean(only == null ? i + 1 : only))
        .toList()
        .forEach(
            result -> {
              result.faults().keySet().forEach(fault -> injected.add(NetworkFault.valueOf(fault)));
              duplicates[0] += result.duplicates();
            });
    if (only == null) {
      assertThat(injected).as("every fault was tried").hasSize(NetworkFault.values().length);
      assertThat(duplicates[0]).as("there was something to recognise").isPositive();
    }
  }

  /** A release was done after the relay had its partitions back. */
  @Test
  void norInOneThatOnceDid() {
    clean(755822314554L);
  }

  @Test
  @Tag("proof")
  void norOverManySeeds(TestReporter report) {
    long first = ProofRun.seed();
    report.publishEntry(Map.of("seed", "" + first, "seeds", "" + PROOF_SEEDS));
    LongAdder faults = new LongAdder();
    LongAdder messages = new LongAdder();
    LongStream.range(first, first + PROOF_SEEDS)
        .parallel()
        .mapToObj(OutboxSimulationTest::clean)
        .forEach(
            result -> {
              result.faults().values().forEach(faults::add);
              messages.add(result.effects());
            });
    report.publishEntry(Map.of("faults", "" + faults, "messages", "" + messages));
  }

  private static Result clean(long seed) {
    Result result;
    try {
      result = OutboxSimulation.run(seed, Mutation.NONE);
    } catch (RuntimeException e) {
      throw new AssertionError("seed " + seed, e);
    }
    assertThat(result.wrong())
        .as(
            "replay with: mvn verify -pl :semel-proof -am -Dtest=OutboxSimulationTest -Dsurefire.failIfNoSpecifiedTests=false -D%s=%d",
            SEED, seed)
        .isEmpty();
    return result;
  }

  @Test
  void aSeedIsTheSameRunEveryTime() {
    for (long seed = 1; seed <= 30; seed++) {
      Result one = OutboxSimulation.run(seed, Mutation.NONE);
      assertThat(OutboxSimulation.run(seed, Mutation.NONE)).as("seed %d", seed).isEqualTo(one);
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void whatIsLeftOutIsMissed(Mutation mutation) {
    assertThat(LongStream.rangeClosed(1, MUTANT_SEEDS))
        .as("some seed shows it")
        .anyMatch(seed -> !OutboxSimulation.run(seed, mutation).wrong().isEmpty());
  }
}

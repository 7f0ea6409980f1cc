package dev.semel.proof.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.junit.proof.ProofRun;
import dev.semel.proof.history.Mutant;
import dev.semel.proof.history.RecordedCall;
import dev.semel.proof.history.RecordedEffect;
import dev.semel.proof.history.Violation;
import dev.semel.proof.simulation.Simulation.Mutation;
import dev.semel.proof.simulation.Simulation.Result;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SimulationTest {
  /** {@code -Dsemel.seed=17} runs that one alone. */
  private static final String SEED = "semel.seed";

  private static final int SEEDS = 250;

  /** Each mutant is found in one of the first so many seeds. */
  private static final int MUTANT_SEEDS = 200;

  private static final int PROOF_SEEDS = ProofRun.volume(60_000, 1_000_000);

  @Test
  void nothingRunsTwiceAndNothingIsLostWhateverFails() {
    Long only = Long.getLong(SEED);
    Set<NetworkFault> injected = EnumSet.noneOf(NetworkFault.class);
    seeds(only == null ? 1 : only, only == null ? SEEDS : 1)
        .forEach(
            result -> result.faults().keySet().forEach(f -> injected.add(NetworkFault.valueOf(f))));
    if (only == null) {
      assertThat(injected).as("every fault was tried").hasSize(NetworkFault.values().length);
    }
  }

  /** A claim came to pass unheard while its caller waited, and its lease counted from too late. */
  @Test
  void norInOneThatOnceDid() {
    clean(775364793229L);
  }

  @Test
  @Tag("proof")
  void norOverManySeeds(TestReporter report) {
    long first = ProofRun.seed();
    report.publishEntry(Map.of("seed", "" + first, "seeds", "" + PROOF_SEEDS));
    long faults =
        LongStream.range(first, first + PROOF_SEEDS)
            .parallel()
            .mapToObj(SimulationTest::clean)
            .flatMapToInt(result -> result.faults().values().stream().mapToInt(i -> i))
            .asLongStream()
            .sum();
    report.publishEntry("faults", "" + faults);
  }

  /** Each is a world of its own, so they run side by side. */
  private static Stream<Result> seeds(long first, int count) {
    return LongStream.range(first, first + count)
        .parallel()
        .mapToObj(SimulationTest::clean)
        .toList()
        .stream();
  }

  private static Result clean(long seed) {
    Result result = Simulation.run(seed, Mutation.NONE);
    assertThat(result.violations().stream().map(Violation::what))
        .as(
            "replay with: mvn verify -pl :semel-proof -am -Dtest=SimulationTest -Dsurefire.failIfNoSpecifiedTests=false -D%s=%d",
            SEED, seed)
        .isEmpty();
    return result;
  }

  @Test
  void aSeedIsTheSameRunEveryTime() {
    for (long seed = 1; seed <= 50; seed++) {
      assertThat(trace(seed)).as("seed %d", seed).isEqualTo(trace(seed));
    }
  }

  /** All but the tokens, which are drawn by chance and decide nothing. */
  private static List<String> trace(long seed) {
    Result result = Simulation.run(seed, Mutation.NONE);
    return Stream.of(
            Stream.of("steps " + result.steps()),
            result.history().calls().stream().map(SimulationTest::shown),
            result.history().effects().stream().map(RecordedEffect::toString))
        .flatMap(lines -> lines)
        .toList();
  }

  private static String shown(RecordedCall call) {
    return "%d-%d %s %s %s %s"
        .formatted(
            call.beganNanos(),
            call.endedNanos(),
            call.client(),
            call.key(),
            call.action().getClass().getSimpleName(),
            call.answer());
  }

  @ParameterizedTest
  @EnumSource
  void aStoreThatLacksOneThingIsFoundOut(Mutant mutant) {
    assertThat(LongStream.rangeClosed(1, MUTANT_SEEDS))
        .as("some seed shows that the store is broken")
        .anyMatch(seed -> !Simulation.run(seed, mutant::around).violations().isEmpty());
  }
}

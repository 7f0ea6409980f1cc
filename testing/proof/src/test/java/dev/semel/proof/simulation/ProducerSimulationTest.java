package dev.semel.proof.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.junit.proof.ProofRun;
import dev.semel.proof.simulation.ProducerSimulation.Mutation;
import dev.semel.proof.simulation.ProducerSimulation.Result;
import dev.semel.stream.client.internal.BatchRequest;
import dev.semel.stream.client.internal.BatchResult;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

class ProducerSimulationTest {
  /** {@code -Dsemel.seed=17} runs that one alone. */
  private static final String SEED = "semel.seed";

  private static final int SEEDS = 250;
  private static final int MUTANT_SEEDS = 100;
  private static final int PROOF_SEEDS = ProofRun.volume(60_000, 1_000_000);

  @Test
  void eachMessageIsThereOnceOrItsSenderKnows() {
    Long only = Long.getLong(SEED);
    Set<NetworkFault> injected = EnumSet.noneOf(NetworkFault.class);
    Map<String, Integer> outcomes = new HashMap<>();
    seeds(only == null ? 1 : only, only == null ? SEEDS : 1)
        .forEach(
            result -> {
              result.faults().keySet().forEach(f -> injected.add(NetworkFault.valueOf(f)));
              result.outcomes().forEach((name, count) -> outcomes.merge(name, count, Integer::sum));
            });
    if (only == null) {
      assertThat(injected).as("every fault was tried").hasSize(NetworkFault.values().length);
      assertThat(outcomes).containsOnlyKeys("acknowledged", "failed", "in doubt", "open");
    }
  }

  /** Seeds that found something, beyond those above. */
  @Test
  void norWhereItOnceWas() {
    LongStream.of(25156528311579L, 12297903101580L).forEach(ProducerSimulationTest::clean);
  }

  @Test
  @Tag("proof")
  void norOverManySeeds(TestReporter report) {
    long first = ProofRun.seed();
    report.publishEntry(Map.of("seed", "" + first, "seeds", "" + PROOF_SEEDS));
    long faults =
        LongStream.range(first, first + PROOF_SEEDS)
            .parallel()
            .mapToObj(ProducerSimulationTest::clean)
            .flatMapToInt(result -> result.faults().values().stream().mapToInt(i -> i))
            .asLongStream()
            .sum();
    report.publishEntry("faults", "" + faults);
  }

  /** Each is a world of its own, so they run side by side. */
  private static Stream<Result> seeds(long first, int count) {
    return LongStream.range(first, first + count)
        .parallel()
        .mapToObj(ProducerSimulationTest::clean)
        .toList()
        .stream();
  }

  private static Result run(long seed) {
    try {
      return ProducerSimulation.run(seed, Mutation.NONE);
    } catch (RuntimeException e) {
      throw new AssertionError("seed " + seed, e);
    }
  }

  private static Result clean(long seed) {
    Result result = run(seed);
    assertThat(result.wrong())
        .as(
            "replay with: mvn verify -pl :semel-proof -am -Dtest=ProducerSimulationTest -Dsurefire.failIfNoSpecifiedTests=false -D%s=%d",
            SEED, seed)
        .isEmpty();
    return result;
  }

  @Test
  void aSeedIsTheSameRunEveryTime() {
    for (long seed = 1; seed <= 50; seed++) {
      Result one = ProducerSimulation.run(seed, Mutation.NONE);
      assertThat(ProducerSimulation.run(seed, Mutation.NONE)).as("seed %d", seed).isEqualTo(one);
    }
  }

  /** Says that it has a batch, and has not. */
  @Test
  void aServerThatLiesIsFoundOut() {
    assertFound(
        desk ->
            batchRequest ->
                batchRequest.seq() == 2
                    ? new BatchResult.Accepted(Optional.empty())
                    : desk.take(batchRequest));
  }

  /** Takes every batch for a new one. */
  @Test
  void aServerThatRepeatsIsFoundOut() {
    assertFound(
        desk ->
            batchRequest -> {
              BatchResult receipt = desk.take(batchRequest);
              if (receipt instanceof BatchResult.Duplicate) {
                desk.take(
                    new BatchRequest(
                        "other", batchRequest.epoch() + 1, 0, batchRequest.body(), false));
              }
              return receipt;
            });
  }

  private static void assertFound(Mutation mutation) {
    assertThat(LongStream.rangeClosed(1, MUTANT_SEEDS))
        .as("some seed shows that the server is broken")
        .anyMatch(seed -> !ProducerSimulation.run(seed, mutation).wrong().isEmpty());
  }
}

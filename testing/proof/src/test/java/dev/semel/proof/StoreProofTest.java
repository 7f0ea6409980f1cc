package dev.semel.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Key;
import dev.semel.idempotency.ClaimResult;
import dev.semel.idempotency.MemoryStore;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.idempotency.spi.ForwardingRecords;
import dev.semel.idempotency.spi.ForwardingStore;
import dev.semel.idempotency.spi.IdempotencyStore;
import dev.semel.idempotency.spi.Store;
import dev.semel.proof.fault.ProcessFault;
import dev.semel.proof.history.Mutant;
import dev.semel.proof.report.Counterexample;
import dev.semel.proof.report.ProofReport;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole runs with workers in this process. */
class StoreProofTest {
  private static final int MOST_RUNS = 5;

  @TempDir Path folder;

  private final MemoryStore store = new MemoryStore(InstantSource.system());

  private StoreVerdict prove(Store proved, int seconds, List<ProcessFault> faults) {
    return prove(proved, seconds, faults, false, ProofProgress.UNWATCHED);
  }

  private StoreVerdict prove(
      Store proved, int seconds, List<ProcessFault> faults, boolean keep, ProofProgress progress) {
    ProofTarget target = new ProofTarget(() -> proved, Optional.empty(), Optional.empty());
    return new StoreProof(
            target,
            new ProofPlan(Duration.ofSeconds(seconds), faults, 2, 1, keep),
            folder,
            progress)
        .run();
  }

  @Test
  void storeThatKeepsThePromiseIsProvedAndLeftClean() {
    StoreVerdict verdict =
        prove(store, 2, List.of(ProcessFault.CUT, ProcessFault.LOST_ANSWERS, ProcessFault.STOP));

    assertThat(verdict.violations()).isEmpty();
    assertThat(verdict.proved()).isTrue();
    assertThat(verdict.faults()).isNotEmpty();
    assertThat(verdict.tally().executions()).isGreaterThan(verdict.tally().keys());
    assertThat(verdict.tally().replayed()).isPositive();
    assertThat(verdict.judgements()).hasSizeGreaterThan(3);
    assertThat(store.usage().activeKeys()).isZero();
    assertThat(store.statistics().read()).isEmpty();
  }

  @Test
  void storeThatForgetsDuringTheRunIsFoundOut() {
    List<Key> forgotten = new ArrayList<>();
    ProofProgress forgetful =
        (phase, left, executions, faults) -> {
          if (phase.equals("asking for every key once more")) {
            store.list("semel-prove/", "", 5).entries().forEach(e -> forgotten.add(e.key()));
            forgotten.forEach(store::delete);
          }
        };

    StoreVerdict verdict = prove(store, 1, List.of(), true, forgetful);

    assertThat(store.usage().activeKeys()).as("kept").isEqualTo(verdict.tally().keys());
    assertThat(verdict.proved()).isFalse();
    assertThat(verdict.counterexamples())
        .extracting(Counterexample::key)
        .containsExactlyInAnyOrderElementsOf(forgotten);
    assertThat(verdict.counterexamples().get(0).effects()).hasSize(2);
    assertThat(ProofReport.html(List.of(verdict)))
        .contains("The promise is broken for 5 of", "<svg", "✗");
  }

  @Test
  void storeThatLacksOneThingIsFoundOutWhateverItIs() {
    Map<Mutant, CompletableFuture<Boolean>> proofs = new EnumMap<>(Mutant.class);
    for (Mutant mutant : Mutant.values()) {
      proofs.put(
          mutant,
          CompletableFuture.supplyAsync(() -> isFoundOut(mutant), Thread::startVirtualThread));
    }
    proofs.forEach((mutant, found) -> assertThat(found.join()).as(mutant.name()).isTrue());
  }

  /** Mostly at once; what a busy machine leaves to chance gets more runs. */
  private boolean isFoundOut(Mutant mutant) {
    return IntStream.range(0, MOST_RUNS)
        .anyMatch(
            i -> {
              Store mutated =
                  ForwardingStore.of(
                      new MemoryStore(InstantSource.system()),
                      records -> mutant.around(records, StoreProofTest::roundTrip));
              return !prove(mutated, 3, List.of(ProcessFault.STOP)).violations().isEmpty();
            });
  }

  /** What a step that is torn in two takes on a network, so that others can come in between. */
  private static void roundTrip() {
    LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
  }

  /** A worker on a store of which every claim fails in a way that is no fault of the network's. */
  static final class FailingWorker {
    private FailingWorker() {}

    public static void main(String[] args) throws IOException {
      ProofWorker.run(
          System.in,
          System.out,
          url ->
              ForwardingStore.of(
                  new MemoryStore(InstantSource.system()), records -> new FailingClaims(records)));
    }
  }

  private record FailingClaims(IdempotencyStore records) implements ForwardingRecords {
    @Override
    public ClaimResult claim(ClaimRequest request) {
      throw new IllegalArgumentException("this store has a bug");
    }
  }

  @Test
  void workerThatFailsOutsideThisProcessIsHeard() {
    ProofTarget target =
        new ProofTarget(
            () -> store,
            Optional.of(
                new ProofTarget.Processes(FailingWorker.class, "", Optional.empty(), a -> "")),
            Optional.empty());
    StoreProof proof =
        new StoreProof(
            target,
            new ProofPlan(Duration.ofSeconds(1), List.of(), 1, 1, false),
            folder,
            ProofProgress.UNWATCHED);

    assertThatThrownBy(proof::run)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("worker-1 failed")
        .hasMessageContaining("this store has a bug");
  }

  @Test
  void whatTheStoreCannotHaveIsLeftOutWithAReason() {
    ProofTarget here = new ProofTarget(() -> store, Optional.empty(), Optional.empty());
    assertThat(here.leftOut(List.of(ProcessFault.values())))
        .containsOnlyKeys(ProcessFault.KILL, ProcessFault.SILENT);

    ProofTarget file =
        new ProofTarget(
            () -> store,
            Optional.of(
                new ProofTarget.Processes(StoreProofTest.class, "", Optional.empty(), a -> "")),
            Optional.of("it is a file"));
    assertThat(file.leftOut(List.of(ProcessFault.CUT, ProcessFault.KILL)))
        .isEqualTo(Map.of(ProcessFault.CUT, "it is a file"));
  }
}

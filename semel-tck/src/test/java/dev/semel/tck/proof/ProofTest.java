package dev.semel.tck.proof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.idempotency.MemoryStore;
import dev.semel.idempotency.Store;
import dev.semel.tck.history.Mutant;
import dev.semel.tck.history.StoreAround;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole runs with workers in this process. */
class ProofTest {
  @TempDir Path folder;

  private final MemoryStore store = new MemoryStore(InstantSource.system());

  private Verdict prove(Store proved, List<Fault> faults, boolean keep) {
    return prove(proved, faults, keep, Progress.UNWATCHED);
  }

  private Verdict prove(Store proved, List<Fault> faults, boolean keep, Progress progress) {
    Target target = new Target(() -> proved, Optional.empty(), Optional.empty());
    return new Proof(
            target,
            new Plan(Duration.ofSeconds(faults.isEmpty() ? 1 : 2), faults, 2, 1, keep),
            folder,
            progress)
        .run();
  }

  @Test
  void storeThatKeepsThePromiseIsProvedAndLeftClean() {
    Verdict verdict = prove(store, List.of(Fault.CUT, Fault.LOST_ANSWERS, Fault.STOP), false);

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
  void keysStayWhereTheyAreToBeKept() {
    Verdict verdict = prove(store, List.of(), true);

    assertThat(store.usage().activeKeys()).isEqualTo(verdict.tally().keys());
    assertThat(store.list("semel-prove/prove:" + verdict.run() + "-", "", 1).entries()).hasSize(1);
  }

  @Test
  void storeThatForgetsDuringTheRunIsFoundOut() {
    List<Key> forgotten = new ArrayList<>();
    Progress forgetful =
        (phase, left, executions, faults) -> {
          if (phase.equals("asking for every key once more")) {
            store.list("semel-prove/", "", 5).entries().forEach(e -> forgotten.add(e.key()));
            forgotten.forEach(store::delete);
          }
        };

    Verdict verdict = prove(store, List.of(), false, forgetful);

    assertThat(verdict.proved()).isFalse();
    assertThat(verdict.counterexamples())
        .extracting(Counterexample::key)
        .containsExactlyInAnyOrderElementsOf(forgotten);
    assertThat(verdict.counterexamples().get(0).effects()).hasSize(2);
    assertThat(Report.html(verdict)).contains("The promise is broken for 5 of", "<svg", "✗");
  }

  @Test
  void storeThatLacksOneThingIsFoundOutWhateverItIs() {
    for (Mutant mutant : Mutant.values()) {
      MemoryStore whole = new MemoryStore(InstantSource.system());
      Verdict verdict = prove(new StoreAround(whole, mutant::around), List.of(Fault.STOP), false);

      assertThat(verdict.violations()).as(mutant.name()).isNotEmpty();
    }
  }

  @Test
  void whatTheStoreCannotHaveIsLeftOutWithAReason() {
    Target here = new Target(() -> store, Optional.empty(), Optional.empty());
    assertThat(here.leftOut(List.of(Fault.values()))).containsOnlyKeys(Fault.KILL, Fault.SILENT);

    Target file =
        new Target(
            () -> store,
            Optional.of(new Target.Processes(ProofTest.class, "", Optional.empty(), a -> "")),
            Optional.of("it is a file"));
    assertThat(file.leftOut(List.of(Fault.CUT, Fault.KILL)))
        .isEqualTo(Map.of(Fault.CUT, "it is a file"));
  }
}

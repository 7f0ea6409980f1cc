package dev.semel.proof;

import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.idempotency.spi.Store;
import dev.semel.proof.fault.FaultSeries;
import dev.semel.proof.fault.ProcessFault;
import dev.semel.proof.history.History;
import dev.semel.proof.history.HistoryChecker;
import dev.semel.proof.history.HistoryCheckers;
import dev.semel.proof.history.RecordedCall;
import dev.semel.proof.history.RecordedEffect;
import dev.semel.proof.report.HistoryTally;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

/**
 * One run: workers make calls while faults happen, everything heals, every key is asked for once
 * more, and the checkers judge the recorded history. For one thread.
 */
public final class StoreProof {
  /** Long enough for every lease and every call in progress to end. */
  private static final Duration SETTLE = ProofPlan.LEASE.multipliedBy(2);

  private static final int RADIX = 36;

  private final ProofTarget target;
  private final ProofPlan plan;
  private final Path folder;
  private final ProofProgress progress;

  /**
   * Prepares a run.
   *
   * @param folder for histories and logs of worker processes
   */
  public StoreProof(ProofTarget target, ProofPlan plan, Path folder, ProofProgress progress) {
    this.target = target;
    this.plan = plan;
    this.folder = folder;
    this.progress = progress;
  }

  /**
   * Runs the plan. Deletes the keys afterwards unless the plan keeps them.
   *
   * @throws StoreException when the store is unreachable at the beginning
   */
  public StoreVerdict run() {
    Instant began = Instant.now();
    String run = Long.toString(began.toEpochMilli(), RADIX);
    Map<ProcessFault, String> leftOut = target.leftOut(plan.faults());
    List<ProcessFault> faults =
        plan.faults().stream().filter(f -> !leftOut.containsKey(f)).toList();
    progress.at("opening the store", Duration.ZERO, 0, 0);
    try (Store store = target.opener().get();
        WorkerFleet fleet = fleet(store, run, faults)) {
      List<String> before = store.hazards();
      fleet.awaitReady();
      FaultSeries series =
          new FaultSeries(
              fleet, plan.length(), ProofPlan.LEASE, faults, new Random(plan.seed()), progress);
      long beganNanos = System.nanoTime();
      fleet.go(beganNanos);
      List<StoreVerdict.Injected> injected = series.run(beganNanos);
      progress.at(
          "waiting until every lease is over", Duration.ZERO, fleet.executions(), injected.size());
      fleet.finish();
      ProofWait.rest(SETTLE);
      progress.at(
          "asking for every key once more", Duration.ZERO, fleet.executions(), injected.size());
      LastQuestions last = new LastQuestions();
      History heard = fleet.history();
      Set<Key> keys = keys(heard);
      last.ask(store, plan.keys(run, beganNanos), keys);
      progress.at("judging what happened", Duration.ZERO, fleet.executions(), injected.size());
      History history = together(heard, last.history());
      StoreVerdict verdict =
          new StoreVerdict(
              store.describe(),
              run,
              plan,
              began,
              beganNanos,
              HistoryTally.of(history),
              injected,
              leftOut,
              judge(history),
              StoreVerdict.Hazards.between(before, hazards(store)),
              last.unasked());
      forget(store, keys);
      return verdict;
    }
  }

  private WorkerFleet fleet(Store store, String run, List<ProcessFault> faults) {
    return target
        .processes()
        .<WorkerFleet>map(
            p ->
                new ProcessFleet(
                    p, faults.stream().anyMatch(ProcessFault::ofTheNetwork), plan, run, folder))
        .orElseGet(() -> new ThreadFleet(store, plan, run));
  }

  private static Set<Key> keys(History history) {
    Set<Key> keys = new LinkedHashSet<>();
    history.calls().forEach(call -> keys.add(call.key()));
    return keys;
  }

  private static History together(History workers, History last) {
    return new History(
        Stream.concat(workers.calls().stream(), last.calls().stream())
            .sorted(Comparator.comparingLong(RecordedCall::beganNanos))
            .toList(),
        Stream.concat(workers.effects().stream(), last.effects().stream())
            .sorted(Comparator.comparingLong(RecordedEffect::atNanos))
            .toList());
  }

  private static List<StoreVerdict.Judgement> judge(History history) {
    List<StoreVerdict.Judgement> judgements = new ArrayList<>();
    for (HistoryChecker checker : HistoryCheckers.all(ProofPlan.TOLERANCE)) {
      judgements.add(new StoreVerdict.Judgement(checker.promise(), checker.check(history)));
    }
    return judgements;
  }

  private static List<String> hazards(Store store) {
    try {
      return store.hazards();
    } catch (StoreException e) {
      return List.of("the store could not be asked at the end of the run: " + e.getMessage());
    }
  }

  private void forget(Store store, Set<Key> keys) {
    if (!plan.keep()) {
      try {
        EachKey.of(keys, store.catalog()::delete);
      } catch (StoreException e) {
        return; // the verdict matters more than the space; the keys expire with their retention
      }
    }
  }
}

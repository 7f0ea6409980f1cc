package dev.semel.tck.proof;

import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.idempotency.Store;
import dev.semel.tck.history.History;
import dev.semel.tck.history.HistoryChecker;
import dev.semel.tck.history.HistoryCheckers;
import dev.semel.tck.history.RecordedCall;
import dev.semel.tck.history.RecordedEffect;
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
 * One run: workers ask while faults happen, all heals, every key is asked for once more, and what
 * was recorded is judged. For one thread.
 */
public final class Proof {
  /** Every lease is over by then, and every call that was under way has ended. */
  private static final Duration SETTLE = Plan.LEASE.multipliedBy(2);

  private static final int RADIX = 36;

  private final Target target;
  private final Plan plan;
  private final Path folder;
  private final Progress progress;

  /**
   * Prepares a run.
   *
   * @param folder for histories and logs of worker processes
   */
  public Proof(Target target, Plan plan, Path folder, Progress progress) {
    this.target = target;
    this.plan = plan;
    this.folder = folder;
    this.progress = progress;
  }

  /**
   * Runs it. The keys are gone afterwards unless the plan keeps them.
   *
   * @throws StoreException when the store can't be reached at the beginning
   */
  public Verdict run() {
    Instant began = Instant.now();
    String run = Long.toString(began.toEpochMilli(), RADIX);
    Map<Fault, String> leftOut = target.leftOut(plan.faults());
    List<Fault> faults = plan.faults().stream().filter(f -> !leftOut.containsKey(f)).toList();
    progress.at("opening the store", Duration.ZERO, 0, 0);
    try (Store store = target.opener().get();
        Fleet fleet = fleet(store, run, faults)) {
      List<String> before = store.hazards();
      fleet.awaitReady();
      FaultSeries series =
          new FaultSeries(
              fleet, plan.length(), Plan.LEASE, faults, new Random(plan.seed()), progress);
      long beganNanos = System.nanoTime();
      fleet.go(beganNanos);
      List<Verdict.Injected> injected = series.run(beganNanos);
      progress.at(
          "waiting until every lease is over", Duration.ZERO, fleet.executions(), injected.size());
      fleet.finish();
      Waiting.rest(SETTLE);
      progress.at(
          "asking for every key once more", Duration.ZERO, fleet.executions(), injected.size());
      LastQuestions last = new LastQuestions();
      History heard = fleet.history();
      Set<Key> keys = keys(heard);
      last.ask(store, plan.keys(run, beganNanos), keys);
      progress.at("judging what happened", Duration.ZERO, fleet.executions(), injected.size());
      History history = together(heard, last.history());
      Verdict verdict =
          new Verdict(
              store.describe(),
              run,
              plan,
              began,
              beganNanos,
              Tally.of(history),
              injected,
              leftOut,
              judge(history),
              Verdict.Hazards.between(before, hazards(store)),
              last.unasked());
      forget(store, keys);
      return verdict;
    }
  }

  private Fleet fleet(Store store, String run, List<Fault> faults) {
    return target
        .processes()
        .<Fleet>map(
            p ->
                new ProcessFleet(
                    p, faults.stream().anyMatch(Fault::ofTheNetwork), plan, run, folder))
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

  private static List<Verdict.Judgement> judge(History history) {
    List<Verdict.Judgement> judgements = new ArrayList<>();
    for (HistoryChecker checker : HistoryCheckers.all(Plan.TOLERANCE)) {
      judgements.add(new Verdict.Judgement(checker.promise(), checker.check(history)));
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
        return; // the verdict is worth more than the room; they go when their retention ends
      }
    }
  }
}

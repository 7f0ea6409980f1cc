package dev.semel.proof.history;

import java.time.Duration;
import java.util.List;

/** The promises of idempotency, all of them. */
public final class HistoryCheckers {
  private HistoryCheckers() {}

  /**
   * One checker for each promise, for a store on a machine of its own, to which a client may send a
   * call twice.
   *
   * @param tolerance how far the store's clock may stray from the recorders'
   */
  public static List<HistoryChecker> all(Duration tolerance) {
    return all(tolerance, true);
  }

  /**
   * The same.
   *
   * @param repeated whether the way to the store may carry a call twice
   */
  public static List<HistoryChecker> all(Duration tolerance, boolean repeated) {
    return List.of(
        new OneCompletion(tolerance),
        new ReplayIsTheFirst(tolerance),
        new NoStaleMutation(),
        new EffectsOnce(tolerance),
        new NothingLost(tolerance),
        new Linearizability(tolerance, repeated));
  }

  /** What all of them found. */
  public static List<Violation> check(List<HistoryChecker> checkers, History history) {
    return checkers.stream().flatMap(checker -> checker.check(history).stream()).toList();
  }
}

package dev.semel.proof.history;

import java.time.Duration;
import java.util.List;

/** The checkers of all idempotency promises. */
public final class HistoryCheckers {
  private HistoryCheckers() {}

  /**
   * One checker per promise, for a store on another machine, to which a client may send a call
   * twice.
   *
   * @param tolerance how far the store's clock may differ from the recorders'
   */
  public static List<HistoryChecker> all(Duration tolerance) {
    return all(tolerance, true);
  }

  /**
   * One checker per promise.
   *
   * @param repeated whether a call may reach the store twice
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

  /** The violations that all checkers found. */
  public static List<Violation> check(List<HistoryChecker> checkers, History history) {
    return checkers.stream().flatMap(checker -> checker.check(history).stream()).toList();
  }
}

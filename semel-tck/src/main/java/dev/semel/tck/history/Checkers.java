package dev.semel.tck.history;

import java.time.Duration;
import java.util.List;

/** The promises of idempotency, all of them. */
public final class Checkers {
  private Checkers() {}

  /**
   * One checker for each promise.
   *
   * @param tolerance how far the store's clock may stray from the recorders'; zero in a simulation,
   *     where calls also are made exactly once. Beyond it the store is taken to be another
   *     machine's, to which a client may send a call twice
   */
  public static List<Checker> all(Duration tolerance) {
    return List.of(
        new OneCompletion(tolerance),
        new ReplayIsTheFirst(tolerance),
        new NoStaleMutation(),
        new EffectsOnce(tolerance),
        new NothingLost(tolerance),
        new Linearizability(tolerance, tolerance.isPositive()));
  }

  /** What all of them found. */
  public static List<Violation> check(List<Checker> checkers, History history) {
    return checkers.stream().flatMap(checker -> checker.check(history).stream()).toList();
  }
}

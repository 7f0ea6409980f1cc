package dev.semel.proof.history;

import dev.semel.Key;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Checks that the store's answers are those of atomic steps one after another, each at some moment
 * between its call's beginning and end; for each key separately. A call without an answer may have
 * taken effect at any time since it began, or never.
 */
public final class Linearizability implements HistoryChecker {
  /**
   * How many combinations of calls and records the search visits for one key before it gives up.
   */
  public static final int MAX_POINTS = 200_000;

  /** How much smaller the search is for a key that only repeated calls may still explain. */
  private static final int REPEATED_SHARE = 10;

  /** The pseudo-promise for a key whose search was given up, which is no violation. */
  public static final String UNDECIDED = "an order of the calls is found or ruled out";

  private final CallTiming timing;
  private final boolean repeated;
  private final int maxPoints;

  /** For a store that uses the recorders' clock, and whose calls are made exactly once. */
  public static Linearizability exact() {
    return new Linearizability(Duration.ZERO, false);
  }

  /**
   * @param tolerance how far the store's clock may differ from the recorders'
   * @param repeated whether a call may reach the store twice, as from a client that repeats it
   *     after a lost connection: one effect without an answer before the answered one
   */
  public Linearizability(Duration tolerance, boolean repeated) {
    this(tolerance, repeated, MAX_POINTS);
  }

  Linearizability(Duration tolerance, boolean repeated, int maxPoints) {
    this.timing = new CallTiming(tolerance);
    this.repeated = repeated;
    this.maxPoints = maxPoints;
  }

  @Override
  public String promise() {
    return "each call on the store is one atomic step";
  }

  @Override
  public List<Violation> check(History history) {
    Map<Key, List<RecordedCall>> keys = new LinkedHashMap<>();
    for (RecordedCall call : history.calls()) {
      if (!(call.action() instanceof RecordedAction.Execute)) {
        keys.computeIfAbsent(call.key(), k -> new ArrayList<>()).add(call);
      }
    }
    List<Violation> violations = new ArrayList<>();
    keys.forEach((key, calls) -> check(key, calls).ifPresent(violations::add));
    return violations;
  }

  private Optional<Violation> check(Key key, List<RecordedCall> calls) {
    KeySearch search = new KeySearch(calls, timing, false, maxPoints);
    KeySearch.Verdict verdict = search.run();
    // Only on a failure, because most calls are not repeated, and checking for repetitions needs
    // another search. If that search gives up, it does not excuse the violation.
    boolean excused =
        repeated
            && verdict == KeySearch.Verdict.UNEXPLAINED
            && new KeySearch(calls, timing, true, maxPoints / REPEATED_SHARE).run()
                == KeySearch.Verdict.EXPLAINED;
    return switch (verdict) {
      case EXPLAINED -> Optional.empty();
      case UNEXPLAINED -> excused ? Optional.empty() : Optional.of(violation(key, calls, search));
      case GIVEN_UP -> Optional.of(undecided(key, calls));
    };
  }

  private Violation undecided(Key key, List<RecordedCall> calls) {
    return new Violation(
        UNDECIDED,
        key,
        "no order of these %d calls was found, but after %d combinations the search was given up"
            .formatted(calls.size(), maxPoints),
        calls,
        List.of());
  }

  private Violation violation(Key key, List<RecordedCall> calls, KeySearch search) {
    RecordedCall stuck = search.stuck();
    String what =
        "%s was answered %s, which no order of the calls explains: at best %d come before it, and the record is then %s"
            .formatted(
                CallWords.asked(stuck),
                CallWords.answer(stuck),
                search.explained(),
                search.record().shown());
    return new Violation(promise(), key, what, calls, List.of());
  }
}

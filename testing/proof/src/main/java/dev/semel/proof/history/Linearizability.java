package dev.semel.proof.history;

import dev.semel.Key;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Whether the store's answers are those of one atomic step after another, each somewhere between
 * its call's beginning and end; each key for itself. A call without an answer may have taken effect
 * at any time since it began, or never.
 */
public final class Linearizability implements HistoryChecker {
  /** How many combinations of calls and records are looked at for one key before it is given up. */
  public static final int MAX_POINTS = 200_000;

  /** How much less is spent on a key that only repeated calls may still explain. */
  private static final int REPEATED_SHARE = 10;

  /** The promise of a violation that is none: the search for an order was given up. */
  public static final String UNDECIDED = "an order of the calls is found or ruled out";

  private final CallTiming timing;
  private final boolean repeated;
  private final int maxPoints;

  /** For a store whose clock is the recorders' and whose every call is made exactly once. */
  public static Linearizability exact() {
    return new Linearizability(Duration.ZERO, false);
  }

  /**
   * @param tolerance how far the store's clock may stray from the recorders'
   * @param repeated whether the way to the store may carry a call twice, as a client does that
   *     sends again what a lost connection left unanswered: an unheard effect before the answered
   *     one
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
    // Only then, because most calls are not repeated, and what might have been costs a search of
    // its own. Given up, it does not excuse what was ruled out without it.
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

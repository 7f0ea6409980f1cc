package dev.semel.proof;

import dev.semel.proof.fault.ProcessFault;
import dev.semel.proof.flow.ProvedFlow;
import dev.semel.proof.history.Linearizability;
import dev.semel.proof.history.Violation;
import dev.semel.proof.report.Counterexample;
import dev.semel.proof.report.HistoryTally;
import dev.semel.proof.report.VerdictSentences;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The result of a run on a store.
 *
 * @param store its description, without a password
 * @param run the prefix of its keys' ids
 * @param beganNanos when the workers began, on the history's clock
 * @param leftOut faults of the plan that can't happen to this store, and why
 * @param unasked keys that could not be asked for at the end, because the store was unreachable
 */
public record StoreVerdict(
    String store,
    String run,
    ProofPlan plan,
    Instant began,
    long beganNanos,
    HistoryTally tally,
    List<Injected> faults,
    Map<ProcessFault, String> leftOut,
    List<Judgement> judgements,
    Hazards hazards,
    int unasked)
    implements ProofPart {
  private static final ProvedFlow.About ABOUT =
      new ProvedFlow.About(
          "store",
          "Idempotent execution",
          "",
          "Workers execute the same keys, each of which must take effect once. Afterwards every key"
              + " is asked for once more.",
          "Nothing ran twice, nothing was lost",
          "keys");

  public StoreVerdict {
    faults = List.copyOf(faults);
    leftOut = Collections.unmodifiableMap(new LinkedHashMap<>(leftOut));
    judgements = List.copyOf(judgements);
  }

  /**
   * A fault that happened.
   *
   * @param way the connection that failed; empty: the worker itself
   * @param at time since the workers began
   */
  public record Injected(
      ProcessFault fault, String worker, String way, Duration at, Duration length) {}

  /** A promise, and its violations. */
  public record Judgement(String promise, List<Violation> violations) {
    public Judgement {
      violations = List.copyOf(violations);
    }

    /** The violations, without searches that were given up. */
    public List<Violation> broken() {
      return violations.stream().filter(violation -> !isUndecided(violation)).toList();
    }
  }

  /**
   * Warnings about the configuration that can break the promise.
   *
   * @param standing the store's warnings at the end
   * @param happened those that were not there at the beginning, so that they arose during the run
   */
  public record Hazards(List<String> standing, List<String> happened) {
    public Hazards {
      standing = List.copyOf(standing);
      happened = List.copyOf(happened);
    }

    public static Hazards between(List<String> before, List<String> after) {
      return new Hazards(
          after, after.stream().filter(sentence -> !before.contains(sentence)).toList());
    }

    /** The likely causes of a loss: what happened during the run, or else what was possible. */
    public List<String> likely() {
      return happened.isEmpty() ? standing : happened;
    }
  }

  public List<Violation> violations() {
    return judgements.stream().flatMap(judgement -> judgement.broken().stream()).toList();
  }

  /** The number of keys whose history is too complex to be judged. */
  public long undecided() {
    return judgements.stream()
        .flatMap(judgement -> judgement.violations().stream())
        .filter(StoreVerdict::isUndecided)
        .count();
  }

  private static boolean isUndecided(Violation violation) {
    return violation.promise().equals(Linearizability.UNDECIDED);
  }

  /** The violations grouped by key, the simplest first. */
  public List<Counterexample> counterexamples() {
    return Counterexample.of(violations());
  }

  @Override
  public ProvedFlow.About about() {
    return new ProvedFlow.About(
        ABOUT.part(), ABOUT.title(), store, ABOUT.story(), ABOUT.held(), ABOUT.things());
  }

  @Override
  public List<RunFigure> figures() {
    return tally.figures();
  }

  @Override
  public Map<String, Integer> promises() {
    Map<String, Integer> promises = new LinkedHashMap<>();
    judgements.forEach(each -> promises.put(each.promise(), each.broken().size()));
    return promises;
  }

  @Override
  public boolean broken() {
    return !violations().isEmpty();
  }

  @Override
  public boolean reachable() {
    return unasked == 0;
  }

  @Override
  public String headline() {
    if (broken()) {
      return VerdictSentences.broken(this);
    }
    return proved() ? ABOUT.held() : VerdictSentences.unproved(this);
  }

  @Override
  public boolean proved() {
    return violations().isEmpty() && undecided() == 0 && unasked == 0 && tally.executed() > 0;
  }
}

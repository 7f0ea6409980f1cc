package dev.semel.proof.report;

import dev.semel.proof.ProofPart;
import dev.semel.proof.StoreVerdict;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The verdict's sentences that the report and a terminal share. */
public final class VerdictSentences {
  private VerdictSentences() {}

  /**
   * The verdict of all parts, without its full stop.
   *
   * @param parts at least one
   */
  public static String headline(List<? extends ProofPart> parts) {
    if (parts.size() == 1) {
      return parts.get(0).headline();
    }
    long proved = parts.stream().filter(ProofPart::proved).count();
    return proved == parts.size()
        ? "All %d parts held".formatted(parts.size())
        : "%d of %d parts did not hold".formatted(parts.size() - proved, parts.size());
  }

  /** The extent of the violations. */
  public static String broken(StoreVerdict verdict) {
    return "The promise is broken for %d of %d keys"
        .formatted(verdict.counterexamples().size(), verdict.tally().keys());
  }

  /** Why a run without violations proves nothing. */
  public static String unproved(StoreVerdict verdict) {
    if (verdict.unasked() > 0) {
      return "%d keys could not be asked for at the end, because the store was away"
          .formatted(verdict.unasked());
    }
    if (verdict.undecided() > 0) {
      return "%d keys have too many calls without an answer to be judged"
          .formatted(verdict.undecided());
    }
    return "Nothing was run, so nothing is proved";
  }

  /** The omitted faults, one sentence for each reason; may be empty. */
  public static List<String> leftOut(ProofPart verdict) {
    Map<String, String> faults = new LinkedHashMap<>();
    verdict
        .leftOut()
        .forEach((fault, why) -> faults.merge(why, fault.word(), (a, b) -> a + ", " + b));
    return faults.entrySet().stream()
        .map(entry -> "left out: %s, because %s".formatted(entry.getValue(), entry.getKey()))
        .toList();
  }

  /** The label before {@link StoreVerdict.Hazards#likely}. */
  public static String reasonLabel(ProofPart verdict) {
    return verdict.hazards().happened().isEmpty()
        ? "Possible reason:"
        : "Likely reason, since it was not so when the run began:";
  }
}

package dev.semel.proof;

import dev.semel.proof.fault.ProcessFault;
import dev.semel.proof.flow.FlowJudgement;
import dev.semel.proof.flow.ProvedFlow;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The result of a run with processes of several kinds. */
public record FlowVerdict(
    ProvedFlow.About about,
    ProofPlan plan,
    Instant began,
    long beganNanos,
    List<StoreVerdict.Injected> faults,
    Map<ProcessFault, String> leftOut,
    FlowJudgement judgement,
    StoreVerdict.Hazards hazards)
    implements ProofPart {
  public FlowVerdict {
    faults = List.copyOf(faults);
    leftOut = Collections.unmodifiableMap(new LinkedHashMap<>(leftOut));
  }

  @Override
  public List<RunFigure> figures() {
    return judgement.figures();
  }

  @Override
  public Map<String, Integer> promises() {
    Map<String, Integer> promises = new LinkedHashMap<>();
    judgement.promises().forEach(p -> promises.put(p.promise(), p.broken().size()));
    return promises;
  }

  @Override
  public boolean proved() {
    return !broken() && reachable();
  }

  @Override
  public boolean broken() {
    return !judgement.findings().isEmpty();
  }

  @Override
  public boolean reachable() {
    return judgement.unproved().isEmpty();
  }

  @Override
  public String headline() {
    if (broken()) {
      return "The promise is broken for %d %s"
          .formatted(judgement.examples().size(), about.things());
    }
    return judgement.unproved().orElse(about.held());
  }
}

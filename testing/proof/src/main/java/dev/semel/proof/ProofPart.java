package dev.semel.proof;

import dev.semel.proof.fault.ProcessFault;
import dev.semel.proof.flow.ProvedFlow;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** What one part of a proof showed. */
public sealed interface ProofPart permits StoreVerdict, FlowVerdict {
  /** What was proved, in words. */
  ProvedFlow.About about();

  ProofPlan plan();

  Instant began();

  /** Of the clock of what was recorded, when the workers began. */
  long beganNanos();

  List<RunFigure> figures();

  List<StoreVerdict.Injected> faults();

  /** Faults of the plan that can't happen here, and why. */
  Map<ProcessFault, String> leftOut();

  /** How often each promise was broken, in the promises' order. */
  Map<String, Integer> promises();

  StoreVerdict.Hazards hazards();

  /** Nothing went wrong, and everything was looked at. */
  boolean proved();

  /** Something went wrong: it is more than not having been looked at. */
  boolean broken();

  /** Whether all that there was could be asked for at the end. */
  boolean reachable();

  /** The verdict as a sentence, without its full stop. */
  String headline();
}

package dev.semel.proof;

import dev.semel.proof.fault.ProcessFault;
import dev.semel.proof.flow.ProvedFlow;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** The result of one part of a proof. */
public sealed interface ProofPart permits StoreVerdict, FlowVerdict {
  /** The description of what was proved. */
  ProvedFlow.About about();

  ProofPlan plan();

  Instant began();

  /** When the workers began, on the recorders' clock. */
  long beganNanos();

  List<RunFigure> figures();

  List<StoreVerdict.Injected> faults();

  /** Faults of the plan that can't happen here, and why. */
  Map<ProcessFault, String> leftOut();

  /** The number of violations of each promise, in the promises' order. */
  Map<String, Integer> promises();

  StoreVerdict.Hazards hazards();

  /** Whether nothing went wrong and everything was checked. */
  boolean proved();

  /** Whether something went wrong, which is more than an incomplete check. */
  boolean broken();

  /** Whether everything could be read at the end. */
  boolean reachable();

  /** The verdict as a sentence, without its full stop. */
  String headline();
}

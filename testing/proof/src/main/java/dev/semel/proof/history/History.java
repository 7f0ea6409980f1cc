package dev.semel.proof.history;

import java.util.List;

/** All that was recorded of a run, by whomever, in order of time. */
public record History(List<RecordedCall> calls, List<RecordedEffect> effects) {
  public History {
    calls = List.copyOf(calls);
    effects = List.copyOf(effects);
  }
}

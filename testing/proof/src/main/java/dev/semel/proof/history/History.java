package dev.semel.proof.history;

import java.util.List;

/** All recorded calls and effects of a run, from every process, in order of time. */
public record History(List<RecordedCall> calls, List<RecordedEffect> effects) {
  public History {
    calls = List.copyOf(calls);
    effects = List.copyOf(effects);
  }
}

package dev.semel.proof.history;

import dev.semel.Key;
import java.util.List;

/**
 * A promise that was broken.
 *
 * @param promise of the checker that found it
 * @param what one sentence with the clients and attempts involved
 * @param calls the key's calls that show it, in order of their beginning
 * @param effects the key's effects that show it, in order of time
 */
public record Violation(
    String promise, Key key, String what, List<RecordedCall> calls, List<RecordedEffect> effects) {
  public Violation {
    calls = List.copyOf(calls);
    effects = List.copyOf(effects);
  }
}

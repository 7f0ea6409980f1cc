package dev.semel.advice;

import dev.semel.Operation;
import dev.semel.idempotency.OperationSetting;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * One thing that could be better.
 *
 * @param operation whose; empty: it is about no operation
 * @param why the figures that it rests on, as sentences
 * @param change what to set; empty where no setting helps
 * @param todo what to do, as a sentence; where there is a change, what it costs
 * @param savedBytes about how much less the store would hold; negative: more; 0: as much
 */
public record Advice(
    Optional<Operation> operation,
    AdviceTopic topic,
    String title,
    String why,
    Map<OperationSetting, String> change,
    String todo,
    long savedBytes) {
  public Advice {
    if (operation.isEmpty() && !change.isEmpty()) {
      throw new IllegalArgumentException("settings are an operation's");
    }
    EnumMap<OperationSetting, String> copy = new EnumMap<>(OperationSetting.class);
    copy.putAll(change);
    change = Collections.unmodifiableMap(copy);
  }

  /** Whether it can be applied as it is. */
  public boolean applicable() {
    return !change.isEmpty();
  }

  /** For an operation, something that no setting helps with. */
  public static Advice toDo(
      Operation operation, AdviceTopic topic, String title, String why, String todo) {
    return new Advice(Optional.of(operation), topic, title, why, Map.of(), todo, 0);
  }
}

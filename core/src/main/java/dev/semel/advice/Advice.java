package dev.semel.advice;

import dev.semel.Operation;
import dev.semel.idempotency.OperationSetting;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * One recommendation: a setting or set-up that could be better.
 *
 * @param operation empty: it is about no operation
 * @param why the figures behind it, as sentences
 * @param change the settings to change; empty where no setting helps
 * @param todo what to do, as a sentence; where there is a change, what it costs
 * @param savedBytes about how many bytes the store would save; negative: it would need more
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

  /** A recommendation for an operation with which no setting helps. */
  public static Advice toDo(
      Operation operation, AdviceTopic topic, String title, String why, String todo) {
    return new Advice(Optional.of(operation), topic, title, why, Map.of(), todo, 0);
  }
}

package dev.semel.cli.tui;

import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.admin.KeyFilter;
import dev.semel.idempotency.OperationSetting;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/** Work outside of the model: a call of the control center, or a file to write. */
sealed interface TuiEffect {
  /** Reads counts, health, settings, alerts, advice and outbox, at one time. */
  record Survey() implements TuiEffect {}

  /**
   * Reads events since the last ones.
   *
   * @param cursor empty: begin with the newest existing ones
   */
  record Listen(String cursor) implements TuiEffect {}

  record FetchPage(KeyFilter filter, KeyPages.Ask page) implements TuiEffect {}

  record Open(Key key) implements TuiEffect {}

  record Delete(Key key) implements TuiEffect {}

  record CleanUp() implements TuiEffect {}

  record ResetCounts() implements TuiEffect {}

  record Export() implements TuiEffect {}

  record Change(Operation operation, Map<OperationSetting, String> changes) implements TuiEffect {
    public Change {
      EnumMap<OperationSetting, String> copy = new EnumMap<>(OperationSetting.class);
      copy.putAll(changes);
      changes = Collections.unmodifiableMap(copy);
    }
  }
}

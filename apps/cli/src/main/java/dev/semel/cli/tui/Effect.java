package dev.semel.cli.tui;

import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.admin.KeyFilter;
import dev.semel.idempotency.OperationSetting;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/** Something to be done outside: asked of the control center, or written to a file. */
sealed interface Effect {
  /** Counts, health, settings, alerts, advice and outbox, at one time. */
  record Survey() implements Effect {}

  /**
   * Events since the last ones.
   *
   * @param cursor empty: begin with the newest that are there
   */
  record Listen(String cursor) implements Effect {}

  record FetchPage(KeyFilter filter, Pages.Ask page) implements Effect {}

  record Open(Key key) implements Effect {}

  record Delete(Key key) implements Effect {}

  record CleanUp() implements Effect {}

  record ResetCounts() implements Effect {}

  record Export() implements Effect {}

  record Change(Operation operation, Map<OperationSetting, String> changes) implements Effect {
    public Change {
      EnumMap<OperationSetting, String> copy = new EnumMap<>(OperationSetting.class);
      copy.putAll(changes);
      changes = Collections.unmodifiableMap(copy);
    }
  }
}

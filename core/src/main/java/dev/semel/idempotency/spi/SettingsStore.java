package dev.semel.idempotency.spi;

import dev.semel.Operation;
import dev.semel.idempotency.OperationSettings;
import java.util.Map;

/**
 * Keeps what operators set per operation, as text that only {@link OperationSettings} reads. All
 * processes read it again every few seconds.
 */
public interface SettingsStore {
  /** More operations than this can't have settings of their own. */
  int MAX_OPERATIONS = 1000;

  /** Longest text of one operation, in bytes. */
  int MAX_TEXT_BYTES = 8 << 10;

  /** Everything there is. */
  Map<Operation, Stored> readAll();

  /**
   * Writes the next version, if the last one is still the one that was seen.
   *
   * @param seen the version that was read; 0 if there was none
   * @return false, and nothing was written: someone else changed it in the meantime
   * @throws dev.semel.InvalidInput there are {@link #MAX_OPERATIONS} others already
   */
  boolean write(Operation operation, long seen, String text);

  /** What to say when there is no room for another operation. */
  static String tooMany() {
    return "%d operations have settings of their own, which is the limit".formatted(MAX_OPERATIONS);
  }

  /**
   * One operation's settings.
   *
   * @param version 1 for the first, then one more each time
   */
  record Stored(long version, String text) {}
}

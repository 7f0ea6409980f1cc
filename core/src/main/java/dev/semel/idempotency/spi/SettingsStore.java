package dev.semel.idempotency.spi;

import dev.semel.Operation;
import dev.semel.idempotency.OperationSettings;
import java.util.Map;

/**
 * Keeps the operators' settings per operation, as text that only {@link OperationSettings} parses.
 * All processes read it again every few seconds.
 */
public interface SettingsStore {
  /** How many operations may have settings. */
  int MAX_OPERATIONS = 1000;

  /** Longest text of one operation, in bytes. */
  int MAX_TEXT_BYTES = 8 << 10;

  /** The settings of all operations. */
  Map<Operation, Stored> readAll();

  /**
   * Writes the next version, if the seen version is still the last one.
   *
   * @param seen the version that was read; 0 if there was none
   * @return false: another writer changed it in the meantime, and nothing was written
   * @throws dev.semel.InvalidInput there are {@link #MAX_OPERATIONS} others already
   */
  boolean write(Operation operation, long seen, String text);

  /** The message for when there is no room for another operation. */
  static String tooMany() {
    return "%d operations have settings of their own, which is the limit".formatted(MAX_OPERATIONS);
  }

  /**
   * The settings of one operation.
   *
   * @param version 1 for the first, then one more each time
   */
  record Stored(long version, String text) {}
}

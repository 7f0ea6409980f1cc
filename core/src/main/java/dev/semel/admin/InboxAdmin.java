package dev.semel.admin;

import dev.semel.inbox.spi.InboxOperations;
import java.time.Duration;

/**
 * The inbox as an operator sees and changes it. Changes to many messages are counted first and need
 * the confirmed count; see {@link InboxOperations} for what each change does.
 */
public interface InboxAdmin extends InboxOperations {
  /** How many dead letters a consumer has. */
  long dead(String consumer);

  /**
   * As {@link InboxOperations#retry(String)}.
   *
   * @param expected what {@link #dead} said
   * @throws EditConflict there are more or fewer than expected; nothing was done
   */
  long retry(String consumer, long expected);

  /**
   * As {@link InboxOperations#purgeDead}.
   *
   * @param expected what {@link #dead} said
   * @throws EditConflict there are more or fewer than expected; nothing was done
   */
  long purgeDead(String consumer, long expected);

  /**
   * As {@link InboxOperations#purge}, the oldest ids first and at most the expected number: more
   * ids become old while the operator reads the count, and those stay for the next time.
   *
   * @param expected what {@link #old} said
   * @return how many were forgotten; some may have gone meanwhile
   * @throws EditConflict there are fewer than expected; nothing was forgotten
   */
  long purgeOld(String consumer, Duration olderThan, long expected);
}

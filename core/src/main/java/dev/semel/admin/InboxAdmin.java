package dev.semel.admin;

import dev.semel.inbox.spi.InboxOperations;
import java.time.Duration;

/**
 * What an operator sees of an inbox and does to it. What touches many is counted beforehand, and
 * done only for who knows how many; see {@link InboxOperations} for what each does.
 */
public interface InboxAdmin extends InboxOperations {
  /** How many dead letters a consumer has. */
  long dead(String consumer);

  /**
   * As {@link InboxOperations#retry(String)}.
   *
   * @param expected what {@link #dead} said
   * @throws EditConflict there are more or fewer; nothing was done
   */
  long retry(String consumer, long expected);

  /**
   * As {@link InboxOperations#purgeDead}.
   *
   * @param expected what {@link #dead} said
   * @throws EditConflict there are more or fewer; nothing was done
   */
  long purgeDead(String consumer, long expected);

  /**
   * As {@link InboxOperations#purge}, the oldest ids first and never more of them than are
   * expected: ids age while someone reads how many there are, and those stay for the next time.
   *
   * @param expected what {@link #old} said
   * @return how many were forgotten; some may have gone meanwhile
   * @throws EditConflict there are fewer; nothing was forgotten
   */
  long purgeOld(String consumer, Duration olderThan, long expected);
}

package dev.semel.admin;

import dev.semel.outbox.spi.OutboxOperations;

/**
 * The outbox as an operator sees and changes it. Changes to many messages are counted first and
 * need the confirmed count; see {@link OutboxOperations} for what each change does.
 */
public interface OutboxAdmin extends OutboxOperations {
  /** How many messages {@link #replay} or {@link #purge} would touch. */
  long count(State state, Filter filter);

  /**
   * As {@link OutboxOperations#retry}.
   *
   * @param expected what {@link #retriable} said
   * @throws EditConflict there are more or fewer than expected; nothing was done
   */
  long retry(Filter filter, long expected);

  /**
   * As {@link OutboxOperations#replay}.
   *
   * @param expected what {@link #count} said of published messages
   * @throws EditConflict there are more or fewer than expected; nothing was done
   */
  long replay(Filter filter, boolean newIds, long expected);

  /**
   * As {@link OutboxOperations#purge}.
   *
   * @param expected what {@link #count} said
   * @throws EditConflict there are more or fewer than expected; nothing was done
   */
  long purge(State state, Filter filter, long expected);
}

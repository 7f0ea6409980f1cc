package dev.semel.admin;

import dev.semel.outbox.spi.OutboxOperations;

/**
 * What an operator sees of an outbox and does to it. What touches many is counted beforehand, and
 * done only for who knows how many; see {@link OutboxOperations} for what each does.
 */
public interface OutboxAdmin extends OutboxOperations {
  /** How many messages {@link #replay} or {@link #purge} would touch. */
  long count(State state, Filter filter);

  /**
   * As {@link OutboxOperations#retry}.
   *
   * @param expected what {@link #retriable} said
   * @throws EditConflict there are more or fewer; nothing was done
   */
  long retry(Filter filter, long expected);

  /**
   * As {@link OutboxOperations#replay}.
   *
   * @param expected what {@link #count} said of those published
   * @throws EditConflict there are more or fewer; nothing was done
   */
  long replay(Filter filter, boolean newIds, long expected);

  /**
   * As {@link OutboxOperations#purge}.
   *
   * @param expected what {@link #count} said
   * @throws EditConflict there are more or fewer; nothing was done
   */
  long purge(State state, Filter filter, long expected);
}

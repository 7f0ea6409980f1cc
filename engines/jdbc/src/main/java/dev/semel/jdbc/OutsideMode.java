package dev.semel.jdbc;

/**
 * What happens to a message whose effect is outside the database, so that no transaction can hold
 * both it and the message's id.
 */
public enum OutsideMode {
  /**
   * The id is committed before the handler runs. Whatever goes wrong then, the message does not run
   * again: a crash, or a failing handler, loses it.
   */
  AT_MOST_ONCE,
  /**
   * The id is committed as started before the handler runs, and as done after it. One that is found
   * started by a later delivery is in doubt, and is neither run again nor dropped without a word.
   * So it is also with one whose handler threw, because its effect may have happened; a handler
   * that knows of none throws {@link dev.semel.inbox.MessageRejected}. Someone must look, and may
   * call {@link dev.semel.inbox.spi.InboxOperations#forget} to let it run once more.
   *
   * <p>Nobody can tell a handler that died from one that still runs: a broker must not deliver a
   * message again while its handler is at it.
   */
  IN_DOUBT
}

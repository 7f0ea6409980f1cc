package dev.semel.jdbc;

/**
 * What happens to a message whose effect is outside the database, where no transaction can cover
 * both the effect and the message's id.
 */
public enum OutsideMode {
  /**
   * The id commits before the handler runs. The message never runs again, so a crash or a failing
   * handler loses it.
   */
  AT_MOST_ONCE,
  /**
   * The id commits as started before the handler runs, and as done after it. When a later delivery
   * finds it started, the message is in doubt: it does not run again, and it is reported instead of
   * dropped. A message whose handler threw is also in doubt, because its effect may have happened;
   * a handler that is sure of no effect throws {@link dev.semel.inbox.MessageRejected}. An operator
   * must check, and may call {@link dev.semel.inbox.spi.InboxOperations#forget} to let the message
   * run again.
   *
   * <p>A dead handler looks like a running one, so the broker must not redeliver a message while
   * its handler runs.
   */
  IN_DOUBT
}

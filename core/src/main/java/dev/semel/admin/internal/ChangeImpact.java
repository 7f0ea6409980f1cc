package dev.semel.admin.internal;

import dev.semel.inbox.spi.InboxOperations;
import dev.semel.outbox.spi.OutboxOperations;

/** How much a change would touch, counted beforehand, a page at a time. */
public final class ChangeImpact {
  private ChangeImpact() {}

  /** How many messages of an outbox are meant. */
  public static long of(
      OutboxOperations outbox, OutboxOperations.State state, OutboxOperations.Filter filter) {
    long count = 0;
    String cursor = "";
    do {
      OutboxOperations.Page page = outbox.list(state, filter, cursor, OutboxOperations.MAX_PAGE);
      count += page.entries().size();
      cursor = page.cursor();
    } while (!cursor.isEmpty());
    return count;
  }

  /** How many dead letters a consumer has. */
  public static long ofDead(InboxOperations inbox, String consumer) {
    long count = 0;
    String cursor = "";
    do {
      InboxOperations.Page page =
          inbox.list(consumer, InboxOperations.State.DEAD, cursor, InboxOperations.MAX_PAGE);
      count += page.entries().size();
      cursor = page.cursor();
    } while (!cursor.isEmpty());
    return count;
  }
}

package dev.semel.admin.internal;

import dev.semel.inbox.spi.InboxOperations;
import dev.semel.outbox.spi.OutboxOperations;

/** Counts in advance how many items a change would touch, a page at a time. */
public final class ChangeImpact {
  private ChangeImpact() {}

  /** How many messages of an outbox the filter selects. */
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

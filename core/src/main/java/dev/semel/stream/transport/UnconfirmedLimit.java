package dev.semel.stream.transport;

import dev.semel.transport.PublishFailed;
import dev.semel.transport.PublishFailed.Kind;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits how much a transport keeps without a confirmation from the server. Safe for use by many
 * threads.
 */
final class UnconfirmedLimit {
  static final long MAX_BYTES = 32 << 20;

  /** What a message costs in addition to its bytes. */
  private static final long EACH = 512;

  private final AtomicLong used = new AtomicLong();

  /** How many messages have senders that gave up waiting. */
  private final AtomicLong overdue = new AtomicLong();

  /**
   * Reserves room for a message.
   *
   * @throws PublishFailed there is not enough left
   */
  void take(int bytes) {
    if (used.addAndGet(bytes + EACH) > MAX_BYTES) {
      used.addAndGet(-bytes - EACH);
      throw overdue.get() > 0
          ? new PublishFailed(
              Kind.UNREACHABLE, "the server does not answer, and no room is left for more messages")
          : new PublishFailed(
              Kind.BUSY,
              "%d bytes of messages wait for their confirmation, which is the limit"
                  .formatted(MAX_BYTES));
    }
  }

  void give(int bytes) {
    used.addAndGet(-bytes - EACH);
  }

  void overdue(long more) {
    overdue.addAndGet(more);
  }
}

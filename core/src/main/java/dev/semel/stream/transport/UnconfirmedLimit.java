package dev.semel.stream.transport;

import dev.semel.transport.PublishFailed;
import dev.semel.transport.PublishFailed.Kind;
import java.util.concurrent.atomic.AtomicLong;

/** How much a transport keeps of what the server has not confirmed. Safe for many threads. */
final class UnconfirmedLimit {
  static final long MAX_BYTES = 32 << 20;

  /** What a message costs beside its own bytes. */
  private static final long EACH = 512;

  private final AtomicLong used = new AtomicLong();

  /** Messages whose senders gave up waiting. */
  private final AtomicLong overdue = new AtomicLong();

  /**
   * Takes some of it.
   *
   * @throws PublishFailed there is not so much left
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

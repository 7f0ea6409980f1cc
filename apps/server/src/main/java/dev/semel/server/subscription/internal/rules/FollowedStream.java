package dev.semel.server.subscription.internal.rules;

import dev.semel.stream.Offset;

/**
 * A stream that a subscription follows.
 *
 * @param explicit named one by one, not only found by the pattern
 * @param incarnation which stream on this path; 0: there was none
 * @param acked offset up to which it is done
 * @param tail the last tail that we know; not stored
 */
public record FollowedStream(boolean explicit, long incarnation, Offset acked, Offset tail) {
  boolean pending() {
    return tail.compareTo(acked) > 0;
  }

  FollowedStream withAcked(Offset offset) {
    return new FollowedStream(explicit, incarnation, offset, tail);
  }

  /** A tail only ever grows; reports of it may come out of order. */
  FollowedStream withTail(Offset seen) {
    return seen.compareTo(tail) > 0 ? new FollowedStream(explicit, incarnation, acked, seen) : this;
  }
}

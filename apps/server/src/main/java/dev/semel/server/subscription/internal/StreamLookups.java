package dev.semel.server.subscription.internal;

import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;

/**
 * Looks up streams one after the other, each with the decision that follows from it. So decisions
 * keep the order of the lookups, and a new subscription takes nothing for news that was seen before
 * it began.
 */
final class StreamLookups {
  private final Deque<Supplier<Future<?>>> waiting = new ArrayDeque<>();
  private boolean busy;
  private boolean looping;

  /**
   * Queues a lookup.
   *
   * @param look must also decide, before its future completes
   */
  void add(Supplier<Future<?>> look) {
    waiting.add(look);
    next();
  }

  /** A loop, because a lookup may complete before its call returns, and many may wait. */
  private void next() {
    if (looping) {
      return;
    }
    looping = true;
    while (!busy && !waiting.isEmpty()) {
      busy = true;
      waiting
          .remove()
          .get()
          .onComplete(
              done -> {
                busy = false;
                next();
              });
    }
    looping = false;
  }
}

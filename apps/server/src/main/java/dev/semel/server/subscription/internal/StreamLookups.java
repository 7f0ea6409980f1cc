package dev.semel.server.subscription.internal;

import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;

/**
 * Looks at streams one after the other, each with what follows from it. So what was seen first is
 * decided first, and nothing that was seen before a subscription began is taken for news to it.
 */
final class StreamLookups {
  private final Deque<Supplier<Future<?>>> waiting = new ArrayDeque<>();
  private boolean busy;
  private boolean looping;

  /**
   * Queues one.
   *
   * @param look must also decide, before its future completes
   */
  void add(Supplier<Future<?>> look) {
    waiting.add(look);
    next();
  }

  /** A loop, because a look may be over before its call returns, and many may wait. */
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

package dev.semel.server.subscription;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * The engine as a dying process sees it: after a number of calls it answers none. The last one may
 * still have taken effect.
 */
final class Mortality implements GuardedStreams.Guard {
  private final AtomicInteger left;
  private final boolean lastTakesEffect;

  Mortality(int calls, boolean lastTakesEffect) {
    this.left = new AtomicInteger(calls);
    this.lastTakesEffect = lastTakesEffect;
  }

  boolean dead() {
    return left.get() < 0;
  }

  @Override
  public <T> CompletionStage<T> call(boolean write, Supplier<CompletionStage<T>> call) {
    int now = left.decrementAndGet();
    if (now >= 0) {
      return call.get();
    }
    if (now == -1 && lastTakesEffect) {
      call.get().thenAccept(lost -> {});
    }
    return new CompletableFuture<>();
  }
}

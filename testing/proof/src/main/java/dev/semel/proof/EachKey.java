package dev.semel.proof;

import dev.semel.Key;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/** Runs a step for many keys, some of them concurrently. */
final class EachKey {
  private static final int AT_ONCE = 8;

  private EachKey() {}

  /** Returns when all steps are done; rethrows the first failure. */
  static void of(Collection<Key> keys, Consumer<Key> step) {
    try (ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE)) {
      List<? extends Future<?>> all =
          keys.stream().map(key -> threads.submit(() -> step.accept(key))).toList();
      for (Future<?> one : all) {
        one.get();
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}

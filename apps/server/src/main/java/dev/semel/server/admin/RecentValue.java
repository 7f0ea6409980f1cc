package dev.semel.server.admin;

import dev.semel.loop.Platform;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A value that is read at most once a second, however many callers ask. Failures are not cached.
 */
final class RecentValue<T> {
  private static final long KEPT = Duration.ofSeconds(1).toNanos();

  /** A value and when it was read. */
  private record Read<T>(T value, long nanos) {}

  private final Supplier<T> source;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile @Nullable Read<T> last;

  RecentValue(Supplier<T> source) {
    this.source = source;
  }

  T get() {
    Read<T> known = last;
    if (known != null && Platform.REAL.nanos() - known.nanos() < KEPT) {
      return known.value();
    }
    lock.lock(); // callers that wait here get the first one's value
    try {
      Read<T> fresh = last;
      if (fresh == null || Platform.REAL.nanos() - fresh.nanos() >= KEPT) {
        fresh = new Read<>(source.get(), Platform.REAL.nanos());
        last = fresh;
      }
      return fresh.value();
    } finally {
      lock.unlock();
    }
  }
}

package dev.semel.server.admin;

import dev.semel.loop.Platform;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Something read at most once a second, however many ask. What fails is not kept. */
final class RecentValue<T> {
  private static final long KEPT = Duration.ofSeconds(1).toNanos();

  /** Read at that time. */
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
    lock.lock(); // who comes meanwhile gets what the first one reads
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

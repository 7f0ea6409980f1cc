package dev.semel.server.metrics;

import dev.semel.loop.Platform;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Something that is dear to read, and read again only when it is old. What can't be read is empty,
 * until it can. For one thread at a time.
 */
final class CachedReading<T> {
  private final Platform platform;
  private final Supplier<T> source;
  private final long age;
  private Optional<T> value = Optional.empty();
  private long readAt;

  CachedReading(Platform platform, Duration age, Supplier<T> source) {
    this.platform = platform;
    this.source = source;
    this.age = age.toNanos();
  }

  Optional<T> get() {
    if (value.isEmpty() || platform.nanos() - readAt >= age) {
      value = read(source);
      readAt = platform.nanos();
    }
    return value;
  }

  /** Whatever went wrong, the next scrape tries again, and this one shows nothing of it. */
  static <T> Optional<T> read(Supplier<T> source) {
    try {
      return Optional.of(source.get());
    } catch (RuntimeException e) {
      return Optional.empty();
    }
  }
}

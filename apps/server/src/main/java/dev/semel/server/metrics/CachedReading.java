package dev.semel.server.metrics;

import dev.semel.loop.Platform;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A value that is costly to read, and is read again only when it is old. While reading fails, it is
 * empty. For one thread at a time.
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

  /** Empty after any failure; the next scrape tries again. */
  static <T> Optional<T> read(Supplier<T> source) {
    try {
      return Optional.of(source.get());
    } catch (RuntimeException e) {
      return Optional.empty();
    }
  }
}

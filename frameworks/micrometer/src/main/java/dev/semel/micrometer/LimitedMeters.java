package dev.semel.micrometer;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** One thing per name, for so many names; all further ones share that of {@code other}. */
final class LimitedMeters<T> {
  private final int limit;
  private final Function<String, T> making;
  private final Map<String, T> known = new ConcurrentHashMap<>();
  private final T other;

  LimitedMeters(int limit, Function<String, T> making) {
    this.limit = limit;
    this.making = making;
    this.other = making.apply(MeterSettings.OTHER);
    known.put(MeterSettings.OTHER, other);
  }

  T of(String name) {
    T found = known.get(name);
    return found != null ? found : made(name);
  }

  /** Under a lock, so that the limit holds; each name comes here once, or is beyond the limit. */
  private synchronized T made(String name) {
    return known.size() > limit
        ? known.getOrDefault(name, other)
        : known.computeIfAbsent(name, making);
  }
}

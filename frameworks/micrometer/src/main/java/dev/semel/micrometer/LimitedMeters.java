package dev.semel.micrometer;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** One value per name, up to a limit; all further names share the value of {@code other}. */
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

  /** Locked, so that the limit holds; a name within the limit comes here only once. */
  private synchronized T made(String name) {
    return known.size() > limit
        ? known.getOrDefault(name, other)
        : known.computeIfAbsent(name, making);
  }
}

package dev.semel.server.subscription.internal.rules;

import dev.semel.stream.StreamPath;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Finds the subscriptions that a stream concerns without asking all of them. */
public final class StreamInterests {
  private final Map<StreamPath, Set<Subscription>> linked = new HashMap<>();

  /** Subscriptions with a pattern, by its first segment; under empty if that is a wildcard. */
  private final Map<Optional<String>, Set<Subscription>> matching = new HashMap<>();

  private long links;

  void add(Subscription subscription) {
    subscription.config().pattern().ifPresent(p -> put(matching, p.first(), subscription));
  }

  void remove(Subscription subscription) {
    subscription.links().keySet().forEach(path -> unlink(path, subscription));
    subscription.config().pattern().ifPresent(p -> take(matching, p.first(), subscription));
  }

  void link(StreamPath path, Subscription subscription) {
    links += put(linked, path, subscription) ? 1 : 0;
  }

  void unlink(StreamPath path, Subscription subscription) {
    links -= take(linked, path, subscription) ? 1 : 0;
  }

  private static <K> boolean put(Map<K, Set<Subscription>> map, K key, Subscription value) {
    return map.computeIfAbsent(key, k -> new LinkedHashSet<>()).add(value);
  }

  private static <K> boolean take(Map<K, Set<Subscription>> map, K key, Subscription value) {
    Set<Subscription> set = map.get(key);
    boolean there = set != null && set.remove(value);
    if (set != null && set.isEmpty()) {
      map.remove(key);
    }
    return there;
  }

  /** Number of links of all subscriptions. */
  long links() {
    return links;
  }

  public Set<StreamPath> linkedPaths() {
    return Set.copyOf(linked.keySet());
  }

  Set<Subscription> linkedTo(StreamPath path) {
    Set<Subscription> set = linked.get(path);
    return set == null ? Set.of() : new LinkedHashSet<>(set);
  }

  /** Subscriptions with a link to this stream, and those whose pattern matches it. */
  public Set<Subscription> in(StreamPath path) {
    Set<Subscription> found = new LinkedHashSet<>(linkedTo(path));
    match(Optional.of(StreamPaths.first(path)), path, found);
    match(Optional.empty(), path, found);
    return found;
  }

  private void match(Optional<String> first, StreamPath path, Set<Subscription> found) {
    Set<Subscription> candidates = matching.get(first);
    if (candidates != null) {
      candidates.stream().filter(s -> s.config().matches(path)).forEach(found::add);
    }
  }
}

package dev.semel.server.http;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What addresses and methods lead to: one rule for all that a server answers. An address that is
 * spelled out goes before one with names in braces, which it may look like. To be filled first;
 * from then on for all threads.
 *
 * @param <R> what they lead to
 */
public final class RouteTable<R> {
  /** Where a request leads. */
  public sealed interface Match<R> {
    /**
     * It leads there.
     *
     * @param named what stands in place of the braces, decoded
     */
    record Found<R>(R route, List<String> named) implements Match<R> {}

    /** There is such an address, but not for that method. */
    record OtherMethod<R>(String allowed) implements Match<R> {}

    /** There is no such address. */
    record Nothing<R>() implements Match<R> {}
  }

  private record Address<R>(RoutePattern pattern, Map<String, R> methods) {}

  private final Map<String, Address<R>> addresses = new LinkedHashMap<>();
  private final Map<String, Address<R>> spelledOut = new HashMap<>();

  /**
   * Adds a route.
   *
   * @param methods with commas
   * @param address may hold names in braces
   */
  public RouteTable<R> add(String methods, String address, R route) {
    Address<R> there =
        addresses.computeIfAbsent(
            address, text -> new Address<>(RoutePattern.of(text), new LinkedHashMap<>()));
    for (String method : methods.split(", ", -1)) {
      there.methods().put(method, route);
    }
    if (!RoutePattern.hasNames(address)) {
      spelledOut.put(address, there);
    }
    return this;
  }

  /**
   * Looks for a path as it was sent.
   *
   * @throws dev.semel.InvalidInput what stands for a name can't be decoded
   */
  public Match<R> find(String method, String path) {
    Address<R> exact = spelledOut.get(path);
    if (exact != null) {
      R route = exact.methods().get(method);
      return route == null
          ? new Match.OtherMethod<>(String.join(", ", exact.methods().keySet()))
          : new Match.Found<>(route, List.of());
    }
    List<String> allowed = new ArrayList<>();
    for (Address<R> each : addresses.values()) {
      List<String> named = each.pattern().match(path);
      if (named != null) {
        R route = each.methods().get(method);
        if (route != null) {
          return new Match.Found<>(route, decoded(named));
        }
        allowed.addAll(each.methods().keySet());
      }
    }
    return allowed.isEmpty()
        ? new Match.Nothing<>()
        : new Match.OtherMethod<>(String.join(", ", allowed));
  }

  private static List<String> decoded(List<String> named) {
    return named.stream().map(each -> PercentDecoding.decode(each, false)).toList();
  }
}

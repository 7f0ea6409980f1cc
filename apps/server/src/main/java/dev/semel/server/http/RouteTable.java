package dev.semel.server.http;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Routes by address and method, with one rule for everything that a server answers: an address
 * without names in braces precedes a matching one with names. Fill it first; from then on it is
 * safe for all threads.
 *
 * @param <R> type of a route
 */
public final class RouteTable<R> {
  /** Result of a lookup. */
  public sealed interface Match<R> {
    /**
     * A route for the request.
     *
     * @param named decoded values for the names in braces
     */
    record Found<R>(R route, List<String> named) implements Match<R> {}

    /** The address exists, but not for this method. */
    record OtherMethod<R>(String allowed) implements Match<R> {}

    /** The address does not exist. */
    record Nothing<R>() implements Match<R> {}
  }

  private record Address<R>(RoutePattern pattern, Map<String, R> methods) {}

  private final Map<String, Address<R>> addresses = new LinkedHashMap<>();
  private final Map<String, Address<R>> spelledOut = new HashMap<>();

  /**
   * Adds a route.
   *
   * @param methods separated by commas
   * @param address may contain names in braces
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
   * Looks up a path as it was sent.
   *
   * @throws dev.semel.InvalidInput a value for a name can't be decoded
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

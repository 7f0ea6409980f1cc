package dev.semel.server.http;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An address with names in braces. A name stands for one segment, as in {@code keys/{key}/events},
 * or with dots for the rest of the path, as in {@code streams/{path...}}.
 */
record RoutePattern(List<String> segments) {
  private static final String REST = "...}";

  static RoutePattern of(String text) {
    return new RoutePattern(List.of(text.split("/", -1)));
  }

  static boolean hasNames(String text) {
    return text.indexOf('{') >= 0;
  }

  /** Values for the names in braces, still encoded; null: the address does not match. */
  @Nullable List<String> match(String path) {
    List<String> named = new ArrayList<>(2);
    int at = 0;
    for (int i = 0; i < segments.size(); i++) {
      String segment = segments.get(i);
      int slash = segment.endsWith(REST) ? -1 : path.indexOf('/', at);
      int end = slash < 0 ? path.length() : slash;
      if (segment.startsWith("{")) {
        named.add(path.substring(at, end));
      } else if (end - at != segment.length() || !path.startsWith(segment, at)) {
        return null;
      }
      boolean last = i == segments.size() - 1;
      if (last != (slash < 0)) {
        return null; // they differ in length
      }
      at = end + 1;
    }
    return named;
  }
}

package dev.semel.server.subscription.internal.rules;

import dev.semel.stream.StreamPath;

/** Stream paths in requests: slashes at either end don't count. */
public final class StreamPaths {
  private StreamPaths() {}

  public static StreamPath parse(String text) {
    return new StreamPath(strip(text));
  }

  static String strip(String text) {
    int start = 0;
    int end = text.length();
    while (start < end && text.charAt(start) == '/') {
      start++;
    }
    while (end > start && text.charAt(end - 1) == '/') {
      end--;
    }
    return text.substring(start, end);
  }

  /** The first segment. */
  static String first(StreamPath path) {
    int slash = path.text().indexOf('/');
    return slash < 0 ? path.text() : path.text().substring(0, slash);
  }
}

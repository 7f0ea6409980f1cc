package dev.semel.server.http;

import dev.semel.InvalidInput;
import dev.semel.internal.PrintableText;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Path and query of a request, separated but not decoded.
 *
 * @param path from the first slash, as it was sent
 * @param query behind the question mark; empty if there is none
 */
public record RequestTarget(String path, String query) {
  /** The server as a whole, as in {@code OPTIONS *}. */
  public static final RequestTarget SERVER = new RequestTarget("*", "");

  public static RequestTarget parse(String uri) {
    if (uri.equals("*")) {
      return SERVER;
    }
    int start = uri.startsWith("/") ? 0 : absolute(uri);
    if (uri.indexOf('#', start) >= 0) {
      throw new InvalidInput("the address holds a #: leave out what follows it");
    }
    int mark = uri.indexOf('?', start);
    return mark < 0
        ? new RequestTarget(start == 0 ? uri : uri.substring(start), "")
        : new RequestTarget(uri.substring(start, mark), uri.substring(mark + 1));
  }

  /** Index of the path in an address with scheme and host, as proxies send it. */
  private static int absolute(String uri) {
    String lower = uri.toLowerCase(Locale.ROOT);
    int host = lower.startsWith("http://") ? 7 : lower.startsWith("https://") ? 8 : -1;
    int slash = host < 0 ? -1 : uri.indexOf('/', host);
    if (slash < 0) {
      throw new InvalidInput(
          "the address %s has no path: begin it with a slash".formatted(PrintableText.quoted(uri)));
    }
    return slash;
  }

  /**
   * The path behind a prefix, decoded. It refuses an encoded slash, which would look like a
   * separator once decoded.
   */
  public String below(int prefixLength) {
    String raw = path.substring(prefixLength);
    for (int at = raw.indexOf('%'); at >= 0; at = raw.indexOf('%', at + 1)) {
      if (raw.regionMatches(true, at, "%2f", 0, 3)) {
        throw new InvalidInput(
            "the path %s holds an encoded slash: names can't hold one"
                .formatted(PrintableText.quoted(raw)));
      }
    }
    return PercentDecoding.decode(raw, false);
  }

  /**
   * A parameter's value, decoded; null if it is missing.
   *
   * @throws InvalidInput it occurs twice, or can't be decoded
   */
  public @Nullable String parameter(String name) {
    String found = null;
    for (int start = 0; start < query.length(); ) {
      int ampersand = query.indexOf('&', start);
      int end = ampersand < 0 ? query.length() : ampersand;
      if (named(name, start, end)) {
        if (found != null) {
          throw new InvalidInput(
              "the parameter %s stands there twice: send it once".formatted(name));
        }
        found = PercentDecoding.decode(value(start + name.length(), end), true);
      }
      start = end + 1;
    }
    return found;
  }

  private boolean named(String name, int start, int end) {
    int behind = start + name.length();
    return behind <= end
        && query.startsWith(name, start)
        && (behind == end || query.charAt(behind) == '=');
  }

  private String value(int from, int end) {
    return from >= end ? "" : query.substring(from + 1, end);
  }
}

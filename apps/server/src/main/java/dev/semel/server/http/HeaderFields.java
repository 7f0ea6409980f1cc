package dev.semel.server.http;

import dev.semel.InvalidInput;
import io.vertx.core.MultiMap;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads headers that may occur only once: with two values, two readers could see two different
 * requests.
 */
public final class HeaderFields {
  private static final String BEARER = "bearer ";

  private HeaderFields() {}

  public static @Nullable String find(MultiMap headers, CharSequence name) {
    String value = headers.get(name);
    if (value != null && headers.getAll(name).size() > 1) {
      throw new InvalidInput("the header %s stands there twice: send it once".formatted(name));
    }
    return value;
  }

  /** Length of the body; negative: only its end shows it. */
  public static long length(MultiMap headers) {
    String length = headers.get(HeaderNames.CONTENT_LENGTH);
    // The HTTP decoder has checked that these are digits.
    return length == null ? -1 : length.length() > 18 ? Long.MAX_VALUE : Long.parseLong(length);
  }

  /** The caller's bearer token; null: none. */
  public static @Nullable String bearer(MultiMap headers) {
    String header = find(headers, HeaderNames.AUTHORIZATION);
    return header == null || !header.regionMatches(true, 0, BEARER, 0, BEARER.length())
        ? null
        : header.substring(BEARER.length()).strip();
  }

  public static Optional<String> get(MultiMap headers, CharSequence name) {
    return Optional.ofNullable(find(headers, name));
  }

  /** Only the value true counts; any other is like a missing header. */
  public static boolean isTrue(MultiMap headers, CharSequence name) {
    String value = find(headers, name);
    return value != null && value.equalsIgnoreCase("true");
  }
}

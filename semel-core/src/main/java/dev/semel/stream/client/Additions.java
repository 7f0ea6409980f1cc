package dev.semel.stream.client;

import java.util.Map;
import java.util.function.Supplier;

/**
 * What a client adds to each of its requests.
 *
 * @param token empty: none
 * @param headers asked for each request
 * @param params asked for each request
 */
record Additions(
    String token, Supplier<Map<String, String>> headers, Supplier<Map<String, String>> params) {
  static final Additions NONE = new Additions("", Map::of, Map::of);

  Additions {
    Wire.token(token);
  }

  /** Not what it holds: that may be secret. */
  @Override
  public String toString() {
    return "Additions";
  }
}

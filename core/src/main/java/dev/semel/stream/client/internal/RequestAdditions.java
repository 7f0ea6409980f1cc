package dev.semel.stream.client.internal;

import dev.semel.InvalidInput;
import dev.semel.net.internal.ServerUrl;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;

/**
 * What a client adds to each of its requests.
 *
 * @param token empty: none
 * @param headers called for each request
 * @param params called for each request
 * @param timeout how long an answer may take
 */
public record RequestAdditions(
    String token,
    Supplier<Map<String, String>> headers,
    Supplier<Map<String, String>> params,
    Duration timeout) {
  public static final RequestAdditions NONE =
      new RequestAdditions("", Map::of, Map::of, HttpWire.TIMEOUT);

  public RequestAdditions {
    ServerUrl.token(token);
    if (!timeout.isPositive()) {
      throw new InvalidInput("a server needs some time to answer: give it more than none");
    }
  }

  /** Never shows its content, which may be secret. */
  @Override
  public String toString() {
    return "Additions";
  }
}

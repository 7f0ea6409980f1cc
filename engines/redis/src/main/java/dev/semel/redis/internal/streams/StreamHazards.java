package dev.semel.redis.internal.streams;

import dev.semel.redis.RedisStreamsSettings;
import dev.semel.redis.internal.RedisLink;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** Warnings about message guarantees on Redis, beside those about the server's configuration. */
public final class StreamHazards {
  /** With a longer window Redis's memory holds many ids. */
  static final Duration LONG_WINDOW = Duration.ofHours(1);

  private StreamHazards() {}

  public static List<String> ofWindow(Duration window, Duration retrySpan) {
    List<String> found = new ArrayList<>();
    if (window.compareTo(retrySpan) < 0) {
      found.add(
          "Redis knows ids for %s, but a message may be sent again after %s: make the duplicate window longer, or let the inbox drop what comes later"
              .formatted(window, retrySpan));
    }
    if (window.compareTo(LONG_WINDOW) > 0) {
      found.add(
          "Redis knows ids for %s, and all of them are in its memory: let the inbox drop what is older than %s"
              .formatted(window, LONG_WINDOW));
    }
    return found;
  }

  /**
   * Warns about partitions that are more than half full, and names the consumers that hold them.
   */
  public static List<String> ofPartitions(
      RedisLink link, String destination, int partitions, RedisStreamsSettings settings) {
    long longest = 0;
    TreeSet<String> holders = new TreeSet<>();
    for (int number = 0; number < partitions; number++) {
      byte[][] stream = {new StreamPartition(destination, number).stream()};
      List<Object> held = link.list(StreamScript.HELD, stream);
      long length = (Long) held.get(0);
      if (length > settings.maxLength() / 2) {
        longest = Math.max(longest, length);
        held.stream()
            .skip(1)
            .forEach(name -> holders.add(new String((byte[]) name, StandardCharsets.UTF_8)));
      }
    }
    if (longest == 0) {
      return List.of();
    }
    String who =
        holders.isEmpty()
            ? "no consumer has subscribed"
            : "not finished by " + String.join(", ", holders);
    return List.of(
        "a partition of %s holds %d messages of at most %d (%s): nothing more is taken when it is full; let them catch up, or forget a consumer that will never come back"
            .formatted(destination, longest, settings.maxLength(), who));
  }
}

package dev.semel.server.stream;

import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Cursors that change every 20 seconds, so that live readers at one place use one address, and a
 * cache calls us once for all of them. A reader that sends the current cursor, or a later one, was
 * served from such a cache: it gets a later one, or the cache would repeat the same answer.
 */
final class CacheCursors {
  private static final long EPOCH = Instant.parse("2024-10-09T00:00:00Z").toEpochMilli();
  private static final long INTERVAL_MILLIS = 20_000;
  private static final int MAX_JITTER_SECONDS = 3600;

  /** Longer text is not our cursor. */
  private static final int MAX_DIGITS = 15;

  private final InstantSource clock;

  CacheCursors(InstantSource clock) {
    this.clock = clock;
  }

  /** Parses a client's cursor; -1: it is none. */
  static long parse(@Nullable String text) {
    if (text == null || text.isEmpty() || text.length() > MAX_DIGITS) {
      return -1;
    }
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return -1;
      }
    }
    return Long.parseLong(text);
  }

  long now() {
    return (clock.millis() - EPOCH) / INTERVAL_MILLIS;
  }

  /**
   * @param seen the client's cursor; -1: none
   */
  long after(long seen) {
    long now = now();
    if (seen < now) {
      return now;
    }
    long jitter = 1000L * ThreadLocalRandom.current().nextInt(1, MAX_JITTER_SECONDS + 1);
    return seen + Math.ceilDiv(jitter, INTERVAL_MILLIS);
  }
}

package dev.semel.alert.internal;

import dev.semel.InvalidInput;
import dev.semel.event.EventLine;
import dev.semel.event.spi.EventStore;
import dev.semel.json.Json;
import dev.semel.json.JsonValue.JsonNumber;
import dev.semel.json.JsonValue.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * Follows the event log for reports of processes about themselves: clock skew and missing lines.
 * Bounded: with too much to read, it continues at the end. For one thread.
 */
final class LogWatch {
  /** A report older than this is over, unless it is repeated. */
  static final Duration HEEDED = RuleEvaluator.WINDOW;

  /** How many pages are read at a time. */
  static final int MAX_PAGES = 20;

  /** How many reports are remembered. */
  static final int MAX_KEPT = 10_000;

  private static final String SKEWED = "clock-skewed";
  private static final String SKIPPED = "skipped";

  private final EventStore events;
  private final Deque<Said> said = new ArrayDeque<>();
  private String cursor = "";

  private record Said(Instant at, String writer, Duration skew, long lost) {}

  LogWatch(EventStore events) {
    this.events = events;
  }

  /**
   * Reads on.
   *
   * @param now the time at which reports count as received: a writer's own clock may be wrong
   */
  AlertSample.OfLog read(Instant now) {
    if (cursor.isEmpty()) {
      cursor = events.end();
      events.latest(EventStore.MAX_PAGE).stream()
          .filter(line -> line.atMillis() > now.minus(HEEDED).toEpochMilli())
          .forEach(line -> hear(line, now));
    } else {
      follow(now);
    }
    Instant oldest = now.minus(HEEDED);
    while (!said.isEmpty() && (said.size() > MAX_KEPT || said.peek().at().isBefore(oldest))) {
      said.remove();
    }
    Map<String, Duration> skews = new HashMap<>();
    long lost = 0;
    for (Said one : said) {
      lost += one.lost();
      if (!one.skew().isZero()) {
        skews.put(one.writer(), one.skew());
      }
    }
    return new AlertSample.OfLog(skews, lost);
  }

  private void follow(Instant now) {
    for (int page = 0; page < MAX_PAGES; page++) {
      EventStore.Page read = events.read(cursor, EventStore.MAX_PAGE);
      read.lines().forEach(line -> hear(line, now));
      cursor = read.next();
      if (read.lines().size() < EventStore.MAX_PAGE) {
        return;
      }
    }
    cursor = events.end();
  }

  private void hear(EventLine line, Instant now) {
    if (line.kind().equals(SKEWED)) {
      Duration skew = Duration.ofMillis(number(line, "ahead_ms"));
      said.add(new Said(now, line.writer(), skew, 0));
    } else if (line.kind().equals(SKIPPED) && number(line, "notable") > 0) {
      said.add(new Said(now, line.writer(), Duration.ZERO, number(line, "notable")));
    }
  }

  /** Zero if another version wrote something else. */
  private static long number(EventLine line, String member) {
    try {
      return Json.parse(line.details()) instanceof JsonObject details
              && details.get(member).orElse(null) instanceof JsonNumber n
          ? n.value().longValue()
          : 0;
    } catch (InvalidInput e) {
      return 0;
    }
  }
}

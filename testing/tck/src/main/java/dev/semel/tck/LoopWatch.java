package dev.semel.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.event.Event;
import dev.semel.event.ProcessEvents;
import dev.semel.loop.internal.LoopFailures;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * Checks that a background loop's failure is reported: by a log line, an event and a count. Create
 * it before the loop starts. Lines and events are limited to one per minute and name, so let the
 * loop fail repeatedly, and wait with {@code await().untilAsserted(watch::assertTold)}.
 */
public final class LoopWatch implements AutoCloseable {
  private final String loop;
  private final long before;
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final List<Event> events = new CopyOnWriteArrayList<>();

  /** Kept in a field, because the JDK forgets unreferenced loggers with their handlers. */
  private final Logger logger = Logger.getLogger("dev.semel.loop");

  private final Handler handler = new Lines(lines);
  private final ProcessEvents.Listening listening;

  private LoopWatch(String loop) {
    this.loop = loop;
    this.before = LoopFailures.count(loop);
    logger.addHandler(handler);
    this.listening = ProcessEvents.listen(events::add);
  }

  /** Starts listening. */
  public static LoopWatch of(String loop) {
    return new LoopWatch(loop);
  }

  private static final class Lines extends Handler {
    private final List<String> lines;

    Lines(List<String> lines) {
      this.lines = lines;
    }

    @Override
    public void publish(LogRecord line) {
      lines.add(line.getMessage());
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  /** Checks for line, event and count. */
  public void assertTold() {
    assertCounted();
    assertThat(lines)
        .as("lines in the log")
        .anyMatch(line -> line.startsWith("background loop " + loop + " failed"));
  }

  /** Checks for event and count only, for programs whose log goes elsewhere. */
  public void assertCounted() {
    assertThat(LoopFailures.count(loop)).as("failures of " + loop).isGreaterThan(before);
    assertThat(events)
        .as("events")
        .anyMatch(event -> event instanceof Event.LoopFailed f && f.loop().equals(loop));
  }

  @Override
  public void close() {
    logger.removeHandler(handler);
    listening.close();
  }
}

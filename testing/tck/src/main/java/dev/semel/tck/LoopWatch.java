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
 * Hears what becomes known of a background loop that fails: a log line, an event and a count. Made
 * before the loop starts. Lines and events come at most once a minute for each name, so a test lets
 * its loop fail again and again, and waits with {@code await().untilAsserted(watch::assertTold)}.
 */
public final class LoopWatch implements AutoCloseable {
  private final String loop;
  private final long before;
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final List<Event> events = new CopyOnWriteArrayList<>();

  /** Held, because the JDK forgets loggers that nobody holds, with their handlers. */
  private final Logger logger = Logger.getLogger("dev.semel.loop");

  private final Handler handler = new Lines(lines);
  private final ProcessEvents.Listening listening;

  private LoopWatch(String loop) {
    this.loop = loop;
    this.before = LoopFailures.count(loop);
    logger.addHandler(handler);
    this.listening = ProcessEvents.listen(events::add);
  }

  /** Begins to listen. */
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

  /** There was all of it. */
  public void assertTold() {
    assertCounted();
    assertThat(lines)
        .as("lines in the log")
        .anyMatch(line -> line.startsWith("background loop " + loop + " failed"));
  }

  /** The same without the line, for programs whose log goes elsewhere. */
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

package dev.semel.tck;

import dev.semel.event.Event;
import dev.semel.event.ProcessEvents;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * Remembers which background loops of this process were logged and were an event, from the moment
 * this class is loaded. One line and one event a minute stand for all failures of a loop, so a test
 * must also see the line that an earlier test caused. Our own test runs load this class before the
 * first test.
 */
final class LoopReports {
  private static final List<String> LINES = new CopyOnWriteArrayList<>();
  private static final Set<String> EVENTS = ConcurrentHashMap.newKeySet();

  /** Held, because the JDK forgets loggers that nobody holds, with their handlers. */
  private static final Logger LOGGER = Logger.getLogger("dev.semel.loop");

  private static final Handler HANDLER = new Lines();

  static {
    listen();
    ProcessEvents.Listening unused = ProcessEvents.listen(LoopReports::heard); // never ends
  }

  private LoopReports() {}

  private static final class Lines extends Handler {
    @Override
    public void publish(LogRecord line) {
      LINES.add(line.getMessage());
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  /** Listens again where something else has reset the loggers. */
  static synchronized void listen() {
    if (!List.of(LOGGER.getHandlers()).contains(HANDLER)) {
      LOGGER.addHandler(HANDLER);
    }
  }

  private static void heard(Event event) {
    if (event instanceof Event.LoopFailed failed) {
      EVENTS.add(failed.loop());
    }
  }

  /** All lines about loops. */
  static List<String> lines() {
    return LINES;
  }

  /** The loops of which there was an event. */
  static Set<String> events() {
    return EVENTS;
  }
}

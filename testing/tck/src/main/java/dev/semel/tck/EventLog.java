package dev.semel.tck;

import dev.semel.Key;
import dev.semel.event.Event;
import dev.semel.event.EventLine;
import dev.semel.event.internal.MemoryEvents;
import dev.semel.event.spi.EventSink;
import dev.semel.event.spi.EventStore;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** Creates lines as a sink does, and reads a log as a follower does. */
final class EventLog {
  private EventLog() {}

  /** The first lines of a new writer, one for each key. */
  static List<EventLine> lines(List<Key> keys) {
    MemoryEvents memory = new MemoryEvents(InstantSource.system());
    EventSink sink = new EventSink(memory, InstantSource.system(), event -> false);
    List<EventLine> lines = new ArrayList<>();
    for (Key key : keys) {
      sink.on(new Event.Fenced(key, "job \"1\" 🎉", 2, "renew"));
      sink.flush();
    }
    String cursor = "";
    while (lines.size() < keys.size()) {
      EventStore.Page page = memory.read(cursor, EventStore.MAX_PAGE);
      lines.addAll(page.lines());
      cursor = page.next();
    }
    return lines;
  }

  /** All lines of one writer from the cursor to the end. */
  static List<EventLine> read(EventStore store, String from, String writer) {
    List<EventLine> lines = new ArrayList<>();
    String cursor = from;
    while (true) {
      EventStore.Page page = store.read(cursor, 7);
      page.lines().stream().filter(line -> line.writer().equals(writer)).forEach(lines::add);
      if (page.lines().isEmpty() && page.next().equals(cursor)) {
        return lines;
      }
      cursor = page.next();
    }
  }
}

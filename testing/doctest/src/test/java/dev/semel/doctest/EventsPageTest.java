package dev.semel.doctest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.event.Event;
import dev.semel.event.EventLine;
import dev.semel.event.JsonLog;
import dev.semel.event.internal.MemoryEvents;
import dev.semel.event.spi.EventSink;
import dev.semel.json.Json;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.json.JsonValue.JsonString;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Every kind of event, what is kept of it, and what the log calls it. */
class EventsPageTest {
  private static final String SOURCE = "core/src/main/java/dev/semel/event/Event.java";

  @Test
  void theTableHasEveryKind() {
    StringBuilder table = new StringBuilder();
    table.append(Generated.row("kind", "what happened", "members", "`msg` of the log line"));
    table.append(Generated.row("---", "---", "---", "---"));
    for (Event event : SampleEvents.all()) {
      EventLine line = kept(event);
      table.append(
          Generated.row(
              "`" + line.kind() + "`",
              said(event.getClass().getSimpleName()),
              members(line).stream().map(m -> "`" + m + "`").collect(Collectors.joining(", ")),
              "*" + message(event) + "*"));
    }
    Generated.part(Book.DOCS.resolve("reference/events.md"), "events", table.toString());
  }

  private static EventLine kept(Event event) {
    MemoryEvents log = new MemoryEvents(InstantSource.system());
    EventSink sink = new EventSink(log, InstantSource.system(), key -> false);
    sink.on(event);
    sink.flush();
    return log.latest(1).get(0);
  }

  private static Set<String> members(EventLine line) {
    Set<String> names = new LinkedHashSet<>();
    names.addAll(((JsonObject) Json.parse(line.details())).members().keySet());
    names.addAll(((JsonObject) Json.parse(line.personal().more())).members().keySet());
    return names;
  }

  private static String message(Event event) {
    StringBuilder out = new StringBuilder();
    new JsonLog(out, InstantSource.system()).on(event);
    JsonObject line = (JsonObject) Json.parse(out.toString());
    return ((JsonString) Objects.requireNonNull(line.members().get("msg"))).text();
  }

  /** The first sentence that its comment has, or what stands before the parameters. */
  private static String said(String record) {
    Matcher found =
        Pattern.compile("/\\*\\*((?:[^*]|\\*(?!/))*)\\*/\\s+record " + record + "\\(")
            .matcher(Book.text(Book.ROOT.resolve(SOURCE)));
    assertThat(found.find()).as("%s has a comment", record).isTrue();
    return found
        .group(1)
        .replaceAll("(?m)^\\s*\\* ?", " ")
        .replaceAll("\\s+", " ")
        .replaceAll("@param.*", "")
        .replaceAll("\\{@code ([^}]*)\\}", "`$1`")
        .strip();
  }
}

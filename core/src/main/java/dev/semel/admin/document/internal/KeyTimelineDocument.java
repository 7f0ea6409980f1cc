package dev.semel.admin.document.internal;

import static dev.semel.admin.document.internal.DocumentSchema.map;
import static dev.semel.admin.document.internal.DocumentSchema.objects;
import static dev.semel.admin.document.internal.DocumentSchema.text;
import static dev.semel.admin.document.internal.DocumentSchema.time;
import static dev.semel.admin.document.internal.DocumentSchema.truth;

import dev.semel.Key;
import dev.semel.admin.KeyTimeline;
import dev.semel.admin.TimelineEntry;
import dev.semel.internal.PrintableText;
import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonString;
import java.util.LinkedHashMap;
import java.util.Map;

/** The JSON form of a key's timeline. */
public final class KeyTimelineDocument {
  static final DocumentSchema SCHEMA =
      DocumentSchema.of(
          "KeyTimeline",
          text("key"),
          objects(
              "life_line",
              DocumentSchema.of(
                  "TimelineEntry",
                  time("at"),
                  text("source"),
                  text("kind"),
                  text("who"),
                  map("facts"))),
          truth("masked"),
          truth("cut"));

  private KeyTimelineDocument() {}

  public static JsonObjectBuilder json(KeyTimeline line) {
    return put(Json.object().with("key", line.key().text()), line);
  }

  /** Adds the timeline to another document about the key. */
  public static JsonObjectBuilder put(JsonObjectBuilder members, KeyTimeline line) {
    return members
        .with("life_line", line.moments().stream().map(KeyTimelineDocument::moment).toList())
        .with("masked", line.masked())
        .with("cut", line.cut());
  }

  private static JsonValue moment(TimelineEntry moment) {
    JsonObjectBuilder facts = Json.object();
    moment.facts().forEach(facts::with);
    return Json.object()
        .with("at", moment.at().toString())
        .with("source", PrintableText.word(moment.source()))
        .with("kind", moment.kind())
        .with("who", moment.who())
        .with("facts", facts.build())
        .build();
  }

  public static KeyTimeline read(JsonValue value) {
    MemberReader from = MemberReader.of(value);
    return new KeyTimeline(
        Key.parse(from.text("key")),
        from.items("life_line", KeyTimelineDocument::readMoment),
        from.truth("masked"),
        from.truth("cut"));
  }

  private static TimelineEntry readMoment(JsonValue value) {
    MemberReader from = MemberReader.of(value);
    Map<String, String> facts = new LinkedHashMap<>();
    from.below("facts")
        .object()
        .members()
        .forEach((name, fact) -> facts.put(name, fact instanceof JsonString s ? s.text() : ""));
    return new TimelineEntry(
        from.time("at"),
        from.text("kind"),
        from.choice("source", TimelineEntry.Source.class),
        from.text("who"),
        facts);
  }
}

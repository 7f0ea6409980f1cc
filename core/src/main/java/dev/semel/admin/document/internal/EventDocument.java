package dev.semel.admin.document.internal;

import static dev.semel.admin.document.internal.DocumentSchema.integer;
import static dev.semel.admin.document.internal.DocumentSchema.map;
import static dev.semel.admin.document.internal.DocumentSchema.objects;
import static dev.semel.admin.document.internal.DocumentSchema.text;
import static dev.semel.admin.document.internal.DocumentSchema.texts;
import static dev.semel.admin.document.internal.DocumentSchema.time;
import static dev.semel.admin.document.internal.DocumentSchema.truth;

import dev.semel.event.EventLine;
import dev.semel.event.EventLine.Personal;
import dev.semel.event.spi.EventStore;
import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The JSON form of lines of the event log. */
public final class EventDocument {
  /** One event; further members depend on its kind. */
  public static final DocumentSchema SCHEMA =
      DocumentSchema.of(
              "Event",
              time("at"),
              text("kind"),
              text("tenant").optional(),
              text("operation").optional(),
              truth("erased").optional(),
              text("id").optional(),
              texts("personal").optional(),
              text("writer"),
              integer("number"),
              text("hash"))
          .withMore();

  /** A page of the newest events has no {@code next}. */
  static final DocumentSchema PAGE =
      DocumentSchema.of("EventPage", objects("events", SCHEMA), text("next").optional());

  static final DocumentSchema ABOUT_KEY = DocumentSchema.of("KeyEvents", objects("events", SCHEMA));

  /** An event as a row, whose members are the same for all kinds. */
  static final DocumentSchema ROW =
      DocumentSchema.of(
          "EventRow",
          time("at"),
          text("kind"),
          text("tenant"),
          text("operation"),
          text("id"),
          truth("erased"),
          map("details"),
          map("personal"),
          text("writer"),
          integer("number"),
          text("hash"));

  /** Stands for the salt, which readers do not need. */
  private static final String SALTED = "-";

  private static final Set<String> OWN =
      Set.of(
          "at",
          "kind",
          "tenant",
          "operation",
          "erased",
          "id",
          "personal",
          "writer",
          "number",
          "hash");

  private EventDocument() {}

  /** The members that may be personal are listed in {@code personal}. */
  public static JsonObjectBuilder json(EventLine line) {
    JsonObjectBuilder members =
        Json.object()
            .with("at", Instant.ofEpochMilli(line.atMillis()).toString())
            .with("kind", line.kind())
            .withUnlessEmpty("tenant", line.tenant())
            .withUnlessEmpty("operation", line.operation());
    if (line.personal().erased()) {
      members.with("erased", true);
    } else {
      members.withUnlessEmpty("id", line.personal().id());
    }
    object(line.details()).members().forEach(members::with);
    List<JsonValue> personal = new ArrayList<>();
    if (!line.personal().more().isEmpty()) {
      object(line.personal().more())
          .members()
          .forEach(
              (name, value) -> {
                members.with(name, value);
                personal.add(JsonValue.of(name));
              });
    }
    if (!personal.isEmpty()) {
      members.with("personal", personal);
    }
    return members
        .with("writer", line.writer())
        .with("number", line.number())
        .with("hash", line.hash());
  }

  /** The event as a row of an export: its members do not depend on its kind. */
  public static JsonObjectBuilder row(EventLine line) {
    return Json.object()
        .with("at", Instant.ofEpochMilli(line.atMillis()).toString())
        .with("kind", line.kind())
        .with("tenant", line.tenant())
        .with("operation", line.operation())
        .with("id", line.personal().id())
        .with("erased", line.personal().erased())
        .with("details", object(line.details()))
        .with(
            "personal",
            line.personal().more().isEmpty()
                ? Json.object().build()
                : object(line.personal().more()))
        .with("writer", line.writer())
        .with("number", line.number())
        .with("hash", line.hash());
  }

  /** Parses the JSON in a line. */
  public static JsonObject object(String json) {
    return Json.parse(json) instanceof JsonObject object ? object : Json.object().build();
  }

  public static JsonObjectBuilder json(List<EventLine> lines) {
    return Json.object().with("events", lines.stream().map(line -> json(line).build()).toList());
  }

  /** A page of the log; it always has a {@code next}. */
  public static JsonObjectBuilder json(EventStore.Page page) {
    return json(page.lines()).with("next", page.next());
  }

  public static List<EventLine> readAll(JsonValue value) {
    return MemberReader.of(value).items("events", EventDocument::read);
  }

  public static EventStore.Page readPage(JsonValue value) {
    return new EventStore.Page(readAll(value), MemberReader.of(value).text("next"));
  }

  /** For display only: the document lacks what links the line to the one before. */
  public static EventLine read(JsonValue value) {
    MemberReader from = MemberReader.of(value);
    Set<String> named = Set.copyOf(from.texts("personal"));
    JsonObjectBuilder details = Json.object();
    JsonObjectBuilder more = Json.object();
    from.object()
        .members()
        .forEach(
            (name, member) -> {
              if (named.contains(name)) {
                more.with(name, member);
              } else if (!OWN.contains(name)) {
                details.with(name, member);
              }
            });
    return new EventLine(
        from.text("writer"),
        from.number("number"),
        from.time("at").toEpochMilli(),
        from.text("kind"),
        from.textOrEmpty("tenant"),
        from.textOrEmpty("operation"),
        details.write(),
        from.truth("erased")
            ? Personal.ERASED
            : new Personal(from.textOrEmpty("id"), more.write(), SALTED),
        "",
        "",
        from.text("hash"));
  }
}

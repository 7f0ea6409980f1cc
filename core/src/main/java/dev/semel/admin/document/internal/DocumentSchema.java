package dev.semel.admin.document.internal;

import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonArray;
import dev.semel.json.JsonValue.JsonBoolean;
import dev.semel.json.JsonValue.JsonNull;
import dev.semel.json.JsonValue.JsonNumber;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.json.JsonValue.JsonString;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The members of a kind of JSON object, in order. It describes the documents of the class that
 * holds it; tests compare every answer of the admin API and of the commands with it.
 *
 * @param name of the kind, such as {@code Key}
 * @param more whether an object may have members that are not listed
 */
public record DocumentSchema(String name, List<Member> members, boolean more) {
  private static final Pattern SNAKE_CASE = Pattern.compile("[a-z][a-z0-9]*(_[a-z0-9]+)*");

  public DocumentSchema {
    members = List.copyOf(members);
  }

  /** The type of a member. */
  public enum Kind {
    TEXT,
    /** A time by ISO 8601, in UTC. */
    TIME,
    INTEGER,
    NUMBER,
    TRUTH,
    TEXTS,
    OBJECT,
    OBJECTS,
    /** An object whose names are data, such as those of settings. */
    MAP
  }

  /** When a member is present. */
  public enum Presence {
    ALWAYS,
    /** Left out when empty. */
    OPTIONAL,
    /** Null when empty. */
    NULLABLE
  }

  /**
   * One member.
   *
   * @param of the schema of an object, or of each item of an array; empty for other types
   */
  public record Member(String name, Kind kind, Presence presence, Optional<DocumentSchema> of) {
    public Member {
      if (!SNAKE_CASE.matcher(name).matches()) {
        throw new IllegalArgumentException("the member %s is not in snake_case".formatted(name));
      }
    }

    private static Member of(String name, Kind kind) {
      return new Member(name, kind, Presence.ALWAYS, Optional.empty());
    }

    Member optional() {
      return new Member(name, kind, Presence.OPTIONAL, of);
    }

    Member nullable() {
      return new Member(name, kind, Presence.NULLABLE, of);
    }
  }

  static DocumentSchema of(String name, Member... members) {
    return new DocumentSchema(name, List.of(members), false);
  }

  /** A copy whose objects may have other members too. */
  DocumentSchema withMore() {
    return new DocumentSchema(name, members, true);
  }

  /** A copy with more members at the end, under another name. */
  DocumentSchema with(String newName, Member... added) {
    return new DocumentSchema(
        newName, Stream.concat(members.stream(), Stream.of(added)).toList(), more);
  }

  /** A page of a listing of these; see {@link ListingDocument}. */
  DocumentSchema page(String member) {
    return of(name + "Page", objects(member, this), text("next").nullable());
  }

  static Member text(String name) {
    return Member.of(name, Kind.TEXT);
  }

  static Member time(String name) {
    return Member.of(name, Kind.TIME);
  }

  static Member integer(String name) {
    return Member.of(name, Kind.INTEGER);
  }

  static Member number(String name) {
    return Member.of(name, Kind.NUMBER);
  }

  static Member truth(String name) {
    return Member.of(name, Kind.TRUTH);
  }

  static Member texts(String name) {
    return Member.of(name, Kind.TEXTS);
  }

  static Member map(String name) {
    return Member.of(name, Kind.MAP);
  }

  static Member object(String name, DocumentSchema of) {
    return new Member(name, Kind.OBJECT, Presence.ALWAYS, Optional.of(of));
  }

  static Member objects(String name, DocumentSchema of) {
    return new Member(name, Kind.OBJECTS, Presence.ALWAYS, Optional.of(of));
  }

  /** The names of its members, in order. */
  public List<String> names() {
    return members.stream().map(Member::name).toList();
  }

  /** Where a document differs from this description; empty: nowhere. */
  public List<String> differences(JsonValue document) {
    List<String> found = new ArrayList<>();
    compare(document, name, found);
    return found;
  }

  private void compare(JsonValue value, String path, List<String> found) {
    if (!(value instanceof JsonObject object)) {
      found.add(path + " is no object");
      return;
    }
    for (Member member : members) {
      String at = path + "." + member.name();
      Optional<JsonValue> there = object.get(member.name());
      if (there.isEmpty()) {
        if (member.presence() != Presence.OPTIONAL) {
          found.add(at + " is missing");
        }
      } else if (!(there.get() instanceof JsonNull) || member.presence() != Presence.NULLABLE) {
        compare(there.get(), member, at, found);
      }
    }
    for (String other : object.members().keySet()) {
      if (!names().contains(other) && !(more && SNAKE_CASE.matcher(other).matches())) {
        found.add(path + "." + other + " is not described");
      }
    }
  }

  private static void compare(JsonValue value, Member member, String path, List<String> found) {
    if (member.kind() == Kind.OBJECT) {
      member.of().orElseThrow().compare(value, path, found);
    } else if (member.kind() == Kind.OBJECTS && value instanceof JsonArray array) {
      array.items().forEach(each -> member.of().orElseThrow().compare(each, path, found));
    } else if (!fits(value, member.kind())) {
      found.add("%s is no %s".formatted(path, member.kind()));
    }
  }

  private static boolean fits(JsonValue value, Kind kind) {
    return switch (kind) {
      case TEXT -> value instanceof JsonString;
      case TIME -> value instanceof JsonString text && isTime(text.text());
      case INTEGER -> value instanceof JsonNumber number && number.value().scale() <= 0;
      case NUMBER -> value instanceof JsonNumber;
      case TRUTH -> value instanceof JsonBoolean;
      case TEXTS ->
          value instanceof JsonArray array
              && array.items().stream().allMatch(JsonString.class::isInstance);
      case OBJECT, MAP -> value instanceof JsonObject;
      case OBJECTS -> value instanceof JsonArray;
    };
  }

  private static boolean isTime(String text) {
    try {
      return Instant.parse(text).equals(Instant.parse(text));
    } catch (DateTimeParseException e) {
      return false;
    }
  }
}

package dev.semel.admin.document.internal;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * A parameter of an operator's action. It is in the query or, where the request has a body, a
 * member of it.
 *
 * @param value its kind and choices
 * @param required whether the action is refused without it
 * @param help what it chooses, in one line
 */
public record ActionParameter(String name, Value value, boolean required, String help) {
  static final ActionParameter LIMIT =
      number("limit", "How many at most: 1 to 1000.").otherwise("100");
  static final ActionParameter CURSOR = text("cursor", "Go on where the last page ended.");
  static final ActionParameter PAYLOAD =
      typed(
          "payload", Kind.BASE64, "With this in place of what it has, as Base64; one dead letter.");
  public static final ActionParameter DRY_RUN =
      flag("dry_run", "true: only say how many this would touch.");
  public static final ActionParameter EXPECT =
      number("expect", "How many it touches, as dry_run said; another number is refused.");
  static final ActionParameter EXPECT_AT_LEAST =
      number(
          "expect",
          "How many it touches, as dry_run said; it never touches more, and fewer are refused.");

  static final ActionParameter KEY = typed("key", Kind.KEY, "tenant/operation:id.");
  static final ActionParameter PREFIX =
      text("prefix", "Only keys that begin so: tenant/operation:…");
  static final ActionParameter TEXT =
      text("text", "Only keys that hold this text, in whichever case.");
  static final ActionParameter DESTINATION = text("destination", "Only to this one.");
  static final ActionParameter ID = text("id", "Only this message.");
  static final ActionParameter FROM =
      typed("from", Kind.TIME, "Not before, such as 2026-01-31T10:00:00Z.");
  static final ActionParameter UNTIL = typed("until", Kind.TIME, "Before.");
  static final ActionParameter CONSUMER = text("consumer", "Whose.").needed();
  static final ActionParameter QUEUE = text("queue", "Only this queue.");

  /** How a value is written. */
  public enum Kind {
    TEXT,
    /** A whole number. */
    NUMBER,
    /** Such as {@code 99.9}. */
    FRACTION,
    /** {@code true} or {@code false}. */
    FLAG,
    /** One of several words. */
    CHOICE,
    /** Some of several words, separated by commas. */
    CHOICES,
    /** Such as {@code 2026-01-31T10:00:00Z}. */
    TIME,
    /** Such as {@code 90d}. */
    DURATION,
    /** {@code tenant/operation:id}. */
    KEY,
    BASE64,
    /** A JSON object, in a body. */
    OBJECT
  }

  /**
   * The values that a parameter can have.
   *
   * @param choices the words of a choice; empty for other kinds
   * @param otherwise the default; empty: there is none
   */
  public record Value(Kind kind, List<String> choices, String otherwise) {
    public Value {
      choices = List.copyOf(choices);
    }
  }

  static ActionParameter typed(String name, Kind kind, String help) {
    return new ActionParameter(name, new Value(kind, List.of(), ""), false, help);
  }

  static ActionParameter text(String name, String help) {
    return typed(name, Kind.TEXT, help);
  }

  static ActionParameter number(String name, String help) {
    return typed(name, Kind.NUMBER, help);
  }

  static ActionParameter flag(String name, String help) {
    return typed(name, Kind.FLAG, help);
  }

  static ActionParameter choice(String name, String help, String... choices) {
    return new ActionParameter(name, new Value(Kind.CHOICE, List.of(choices), ""), false, help);
  }

  static ActionParameter choices(String name, String help, List<String> choices) {
    return new ActionParameter(name, new Value(Kind.CHOICES, choices, ""), false, help);
  }

  /** The words of an enum, as parameters spell them. */
  static List<String> words(Class<? extends Enum<?>> type) {
    return Stream.of(type.getEnumConstants())
        .map(each -> each.name().toLowerCase(Locale.ROOT))
        .toList();
  }

  ActionParameter needed() {
    return new ActionParameter(name, value, true, help);
  }

  ActionParameter otherwise(String usual) {
    return new ActionParameter(
        name, new Value(value.kind(), value.choices(), usual), required, help);
  }
}

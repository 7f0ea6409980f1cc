package dev.semel.server.admin;

import dev.semel.InvalidInput;
import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.admin.ControlCenter;
import dev.semel.admin.document.internal.ActionParameter;
import dev.semel.internal.PrintableText;
import dev.semel.json.Json;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonBoolean;
import dev.semel.json.JsonValue.JsonNumber;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.json.JsonValue.JsonString;
import dev.semel.server.http.RequestTarget;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.Base64;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A call of an action with its parameters. They come from the query or, if there is a body, from
 * its members; a body keeps personal data out of logs. Only parameters that the action describes
 * can be read.
 *
 * @param named the value for the name in braces in the action's path
 */
record AdminRequest(
    ControlCenter center, AdminRoute route, String named, RequestTarget target, JsonObject body) {
  /** Refuses unknown parameters: a misspelled filter must not select everything. */
  void check() {
    for (String part : target.query().split("&", -1)) {
      checkKnown(part.substring(0, part.indexOf('=') < 0 ? part.length() : part.indexOf('=')));
    }
    body.members().keySet().forEach(this::checkKnown);
  }

  private void checkKnown(String name) {
    if (!name.isEmpty() && route.action().parameter(name).isEmpty()) {
      throw unknown(name, route.action().parameters());
    }
  }

  private ActionParameter described(String name) {
    return route
        .action()
        .parameter(name)
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "%s describes no parameter %s".formatted(route.action(), name)));
  }

  private static InvalidInput unknown(String name, List<ActionParameter> known) {
    String there = String.join(", ", known.stream().map(ActionParameter::name).toList());
    return new InvalidInput(
        "there is no parameter %s here: %s"
            .formatted(
                PrintableText.quoted(name),
                there.isEmpty() ? "none is taken" : "there are " + there));
  }

  /** The parameter's value, or its default. */
  Optional<String> find(String name) {
    String otherwise = described(name).value().otherwise();
    Optional<String> inBody = body.get(name).map(value -> text(name, value));
    return inBody
        .or(() -> Optional.ofNullable(target.parameter(name)))
        .filter(text -> !text.isEmpty())
        .or(() -> Optional.of(otherwise).filter(text -> !text.isEmpty()));
  }

  /** A parameter that is a JSON object in the body. */
  JsonObject object(String name) {
    if (body.get(described(name).name()).orElse(null) instanceof JsonObject object) {
      return object;
    }
    throw new InvalidInput("send {\"%s\": {…}}".formatted(name));
  }

  private static String text(String name, JsonValue value) {
    return switch (value) {
      case JsonString s -> s.text();
      case JsonNumber n -> Json.write(n); // with its exponent: written out it may fill the memory
      case JsonBoolean b -> Boolean.toString(b.value());
      case JsonValue.JsonNull n -> "";
      case JsonValue.JsonArray a -> throw single(name);
      case JsonObject o -> throw single(name);
    };
  }

  private static InvalidInput single(String name) {
    return new InvalidInput("%s must be a single value".formatted(name));
  }

  String text(String name) {
    return find(name).orElse("");
  }

  String required(String name) {
    return find(name).orElseThrow(() -> new InvalidInput("%s is missing".formatted(name)));
  }

  /** Decodes Base64. An empty text is a value too: no bytes. */
  Optional<byte[]> bytes(String name) {
    boolean there = body.get(name).isPresent() || target.parameter(name) != null;
    try {
      return there ? Optional.of(Base64.getDecoder().decode(text(name))) : Optional.empty();
    } catch (IllegalArgumentException e) {
      throw new InvalidInput("the %s must be Base64".formatted(name));
    }
  }

  boolean flag(String name) {
    return switch (text(name)) {
      case "true" -> true;
      case "", "false" -> false;
      default -> throw new InvalidInput("%s is true or false".formatted(name));
    };
  }

  Optional<Long> number(String name) {
    try {
      return find(name).map(Long::parseLong);
    } catch (NumberFormatException e) {
      throw new InvalidInput("%s must be a whole number".formatted(name));
    }
  }

  int limit() {
    long limit = number("limit").orElseThrow();
    if (limit < 1 || limit > ControlCenter.MAX_PAGE) {
      throw new InvalidInput("limit is from 1 to %d".formatted(ControlCenter.MAX_PAGE));
    }
    return (int) limit;
  }

  String cursor() {
    return text("cursor");
  }

  /** The key in the address. */
  Key key() {
    return Key.parse(named());
  }

  Key key(String name) {
    return Key.parse(required(name));
  }

  Operation operation() {
    return new Operation(named());
  }

  Optional<Operation> operation(String name) {
    return find(name).map(Operation::new);
  }

  Optional<Instant> time(String name) {
    try {
      return find(name).map(Instant::parse);
    } catch (DateTimeParseException e) {
      throw new InvalidInput("%s must be a time such as 2026-01-31T10:00:00Z".formatted(name));
    }
  }

  /** Several values of an enum, separated by commas; empty: the parameter is missing. */
  <E extends Enum<E>> Set<E> choices(String name, Class<E> type) {
    Set<E> chosen = EnumSet.noneOf(type);
    for (String word : find(name).map(text -> text.split(",", -1)).orElse(new String[0])) {
      chosen.add(choice(name, word, type));
    }
    return chosen;
  }

  <E extends Enum<E>> E choice(String name, Class<E> type) {
    return choice(name, required(name), type);
  }

  private static <E extends Enum<E>> E choice(String name, String word, Class<E> type) {
    return Arrays.stream(type.getEnumConstants())
        .filter(each -> PrintableText.word(each).equals(word.replace('_', '-')))
        .findFirst()
        .orElseThrow(
            () ->
                new InvalidInput(
                    "%s can't be %s: use %s"
                        .formatted(
                            name,
                            PrintableText.quoted(word),
                            String.join(
                                ", ",
                                Arrays.stream(type.getEnumConstants())
                                    .map(PrintableText::word)
                                    .toList()))));
  }
}

package dev.semel.json.internal;

import dev.semel.InvalidInput;
import dev.semel.internal.PrintableText;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonArray;
import dev.semel.json.JsonValue.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The place of a value inside another: {@code order.customer.id}, {@code items[0].sku}. A backslash
 * escapes a dot, bracket or backslash in a member's name. Brackets always mean arrays and names
 * always objects, so that one path can't match two different structures.
 */
public final class FieldPath {
  /** Longest path, in characters. */
  public static final int MAX_LENGTH = 256;

  private static final Pattern STEP =
      Pattern.compile("\\[(0|[1-9]\\d{0,8})]|((?:[^.\\[\\]\\\\]|\\\\[.\\[\\]\\\\])+)");

  private static final Pattern ESCAPE = Pattern.compile("\\\\(.)");

  private sealed interface Step {
    record Member(String name) implements Step {}

    record Index(int index) implements Step {}
  }

  private final String text;
  private final List<Step> steps;

  private FieldPath(String text, List<Step> steps) {
    this.text = text;
    this.steps = List.copyOf(steps);
  }

  public static FieldPath parse(String text) {
    if (text.isEmpty() || text.length() > MAX_LENGTH || SurrogateCheck.firstLone(text) >= 0) {
      throw unreadable(text);
    }
    List<Step> steps = new ArrayList<>();
    Matcher step = STEP.matcher(text);
    int at = 0;
    while (at < text.length()) {
      boolean dot = !steps.isEmpty() && text.charAt(at) == '.';
      step.region(dot ? at + 1 : at, text.length());
      // After the first step, a name follows a dot and a bracket does not.
      if (!step.lookingAt() || (!steps.isEmpty() && dot == (step.group(1) != null))) {
        throw unreadable(text);
      }
      steps.add(step(step));
      at = step.end();
    }
    return new FieldPath(text, steps);
  }

  private static Step step(Matcher step) {
    return step.group(1) != null
        ? new Step.Index(Integer.parseInt(step.group(1)))
        : new Step.Member(ESCAPE.matcher(step.group(2)).replaceAll("$1"));
  }

  private static InvalidInput unreadable(String text) {
    return new InvalidInput(
        "%s is not a path to a field: write one such as amount, order.customer.id or items[0].sku, at most %d characters"
            .formatted(PrintableText.quoted(text), MAX_LENGTH));
  }

  /** The value there; empty when a step leads nowhere. A JSON null is a value. */
  public Optional<JsonValue> in(JsonValue root) {
    Optional<JsonValue> found = Optional.of(root);
    for (Step step : steps) {
      found = found.flatMap(value -> follow(step, value));
    }
    return found;
  }

  private static Optional<JsonValue> follow(Step step, JsonValue value) {
    return switch (step) {
      case Step.Member m -> value instanceof JsonObject o ? o.get(m.name()) : Optional.empty();
      case Step.Index i ->
          value instanceof JsonArray a && i.index() < a.items().size()
              ? Optional.of(a.items().get(i.index()))
              : Optional.empty();
    };
  }

  /** The path as it was written; there is only one way to write a path. */
  @Override
  public String toString() {
    return text;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FieldPath p && text.equals(p.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }
}

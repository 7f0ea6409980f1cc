package dev.semel.admin.document.internal;

import static dev.semel.admin.document.internal.DocumentSchema.integer;
import static dev.semel.admin.document.internal.DocumentSchema.map;
import static dev.semel.admin.document.internal.DocumentSchema.objects;
import static dev.semel.admin.document.internal.DocumentSchema.text;

import dev.semel.InvalidInput;
import dev.semel.Operation;
import dev.semel.advice.Advice;
import dev.semel.advice.AdviceTopic;
import dev.semel.advice.Recommendations;
import dev.semel.idempotency.OperationSetting;
import dev.semel.internal.PrintableText;
import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.json.JsonValue.JsonString;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/** The JSON form of recommendations. */
public final class AdviceDocument {
  static final DocumentSchema SCHEMA =
      DocumentSchema.of(
          "Advice",
          objects(
              "advice",
              DocumentSchema.of(
                  "AdviceItem",
                  text("operation").nullable(),
                  text("topic"),
                  text("title"),
                  text("why"),
                  map("change"),
                  text("todo"),
                  integer("saved_bytes"))),
          objects("withheld", DocumentSchema.of("WithheldAdvice", text("operation"), text("why"))));

  private AdviceDocument() {}

  public static JsonObjectBuilder json(Recommendations counsel) {
    return Json.object()
        .with("advice", counsel.advice().stream().map(each -> json(each).build()).toList())
        .with("withheld", counsel.withheld().stream().map(AdviceDocument::withheld).toList());
  }

  private static JsonValue withheld(Recommendations.Withheld each) {
    return Json.object().with("operation", each.operation().name()).with("why", each.why()).build();
  }

  public static JsonObjectBuilder json(Advice advice) {
    JsonObjectBuilder change = Json.object();
    advice.change().forEach((setting, value) -> change.with(setting.text(), value));
    JsonObjectBuilder members = Json.object();
    advice
        .operation()
        .ifPresentOrElse(
            named -> members.with("operation", named.name()), () -> members.withNull("operation"));
    return members
        .with("topic", PrintableText.word(advice.topic()))
        .with("title", advice.title())
        .with("why", advice.why())
        .with("change", change.build())
        .with("todo", advice.todo())
        .with("saved_bytes", advice.savedBytes());
  }

  public static Recommendations read(JsonValue value) {
    MemberReader from = MemberReader.of(value);
    return new Recommendations(
        from.items("advice", AdviceDocument::readAdvice),
        from.items("withheld", MemberReader::of).stream()
            .map(
                each ->
                    new Recommendations.Withheld(
                        new Operation(each.text("operation")), each.text("why")))
            .toList());
  }

  private static Advice readAdvice(JsonValue value) {
    MemberReader from = MemberReader.of(value);
    return new Advice(
        operation(from),
        from.choice("topic", AdviceTopic.class),
        from.text("title"),
        from.text("why"),
        change(from),
        from.text("todo"),
        from.number("saved_bytes"));
  }

  /** The part of an advice that applying it needs. */
  public static JsonObject change(Advice advice) {
    MemberReader whole = MemberReader.of(json(advice).build());
    return Json.object()
        .with("operation", whole.textOrEmpty("operation"))
        .with("topic", whole.text("topic"))
        .with("change", whole.below("change").object())
        .build();
  }

  /** Parses {@link #change(Advice)}. */
  public static Advice readChange(JsonValue value) {
    MemberReader from = MemberReader.of(value);
    return new Advice(
        operation(from), from.choice("topic", AdviceTopic.class), "", "", change(from), "", 0);
  }

  private static Optional<Operation> operation(MemberReader from) {
    return Optional.of(from.textOrEmpty("operation"))
        .filter(name -> !name.isEmpty())
        .map(Operation::new);
  }

  private static Map<OperationSetting, String> change(MemberReader from) {
    Map<OperationSetting, String> change = new EnumMap<>(OperationSetting.class);
    from.below("change")
        .object()
        .members()
        .forEach((name, text) -> change.put(OperationSetting.parse(name), settingText(name, text)));
    return change;
  }

  private static String settingText(String name, JsonValue value) {
    if (value instanceof JsonString text) {
      return text.text();
    }
    throw new InvalidInput("the setting %s must be a text".formatted(name));
  }
}

package dev.semel.admin.document.internal;

import static dev.semel.admin.document.internal.DocumentSchema.objects;
import static dev.semel.admin.document.internal.DocumentSchema.text;
import static dev.semel.admin.document.internal.DocumentSchema.texts;

import dev.semel.admin.HealthReport;
import dev.semel.internal.PrintableText;
import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import dev.semel.json.JsonValue;

/** The JSON form of a health report. */
public final class HealthDocument {
  static final DocumentSchema SCHEMA =
      DocumentSchema.of(
          "Health",
          text("status"),
          objects(
              "parts",
              DocumentSchema.of(
                  "HealthPart", text("name"), text("where"), text("status"), texts("says"))));

  private HealthDocument() {}

  public static JsonObjectBuilder json(HealthReport health) {
    return Json.object()
        .with("status", PrintableText.word(health.level()))
        .with("parts", health.parts().stream().map(HealthDocument::part).toList());
  }

  private static JsonValue part(HealthReport.Part each) {
    return Json.object()
        .with("name", each.name())
        .with("where", each.where())
        .with("status", PrintableText.word(each.level()))
        .with("says", each.says().stream().map(JsonValue::of).toList())
        .build();
  }

  public static HealthReport read(JsonValue value) {
    return new HealthReport(
        MemberReader.of(value).items("parts", MemberReader::of).stream()
            .map(
                each ->
                    new HealthReport.Part(
                        each.text("name"),
                        each.text("where"),
                        each.choice("status", HealthReport.Level.class),
                        each.texts("says")))
            .toList());
  }
}

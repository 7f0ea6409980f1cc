package dev.semel.admin.document.internal;

import static dev.semel.admin.document.internal.DocumentSchema.integer;
import static dev.semel.admin.document.internal.DocumentSchema.map;
import static dev.semel.admin.document.internal.DocumentSchema.number;
import static dev.semel.admin.document.internal.DocumentSchema.objects;
import static dev.semel.admin.document.internal.DocumentSchema.text;

import dev.semel.Operation;
import dev.semel.admin.OperationRecord;
import dev.semel.admin.StoreAdmin.VersionedSettings;
import dev.semel.idempotency.OperationSettings;
import dev.semel.internal.PrintableText;
import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonObject;
import java.util.List;

/** The JSON form of operations and their settings. */
public final class OperationDocument {
  static final DocumentSchema SCHEMA =
      DocumentSchema.of(
          "Operations",
          objects(
              "queues",
              DocumentSchema.of(
                  "Operation",
                  text("operation"),
                  text("mode"),
                  integer("requests"),
                  integer("duplicates"),
                  number("hit_rate"),
                  integer("version"),
                  map("settings"))));

  /** The settings after a change. */
  static final DocumentSchema CHANGED =
      DocumentSchema.of(
          "OperationSettings", text("operation"), integer("version"), map("settings"));

  private OperationDocument() {}

  public static JsonObjectBuilder json(List<OperationRecord> queues) {
    return Json.object().with("queues", queues.stream().map(each -> json(each).build()).toList());
  }

  public static JsonObjectBuilder json(OperationRecord each) {
    return Json.object()
        .with("operation", each.operation().name())
        .with("mode", PrintableText.word(each.settings().settings().mode()))
        .with("requests", each.requests())
        .with("duplicates", each.duplicates())
        .with("hit_rate", each.hitRate())
        .with("version", each.settings().version())
        .with("settings", settings(each.settings()));
  }

  /** The settings after a change. */
  public static JsonObjectBuilder json(Operation operation, VersionedSettings settings) {
    return Json.object()
        .with("operation", operation.name())
        .with("version", settings.version())
        .with("settings", settings(settings));
  }

  private static JsonObject settings(VersionedSettings settings) {
    JsonObjectBuilder members = Json.object();
    settings.settings().values().forEach((setting, value) -> members.with(setting.text(), value));
    return members.build();
  }

  public static List<OperationRecord> readAll(JsonValue value) {
    return MemberReader.of(value).items("queues", OperationDocument::read);
  }

  private static OperationRecord read(JsonValue value) {
    MemberReader from = MemberReader.of(value);
    return new OperationRecord(
        new Operation(from.text("operation")),
        from.number("requests"),
        from.number("duplicates"),
        readSettings(value));
  }

  public static VersionedSettings readSettings(JsonValue value) {
    MemberReader from = MemberReader.of(value);
    return new VersionedSettings(
        from.number("version"),
        OperationSettings.parse(Json.write(from.below("settings").object())));
  }
}

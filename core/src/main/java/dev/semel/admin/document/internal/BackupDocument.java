package dev.semel.admin.document.internal;

import static dev.semel.admin.document.internal.DocumentSchema.integer;
import static dev.semel.admin.document.internal.DocumentSchema.text;

import dev.semel.admin.Backup;
import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import dev.semel.json.JsonValue;

/** The JSON form of a backup. */
public final class BackupDocument {
  static final DocumentSchema SCHEMA =
      DocumentSchema.of(
          "Backup", text("folder"), integer("records"), integer("stream_files"), integer("bytes"));

  private BackupDocument() {}

  public static JsonObjectBuilder json(Backup backup) {
    return Json.object()
        .with("folder", backup.folder())
        .with("records", backup.records())
        .with("stream_files", backup.streamFiles())
        .with("bytes", backup.bytes());
  }

  public static Backup read(JsonValue value) {
    MemberReader members = MemberReader.of(value);
    return new Backup(
        members.text("folder"),
        members.number("records"),
        members.number("stream_files"),
        members.number("bytes"));
  }
}

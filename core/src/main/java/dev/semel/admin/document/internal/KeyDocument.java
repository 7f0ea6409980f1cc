package dev.semel.admin.document.internal;

import static dev.semel.admin.document.internal.DocumentSchema.integer;
import static dev.semel.admin.document.internal.DocumentSchema.text;

import dev.semel.Key;
import dev.semel.admin.ControlCenter.KeyPage;
import dev.semel.admin.KeyRecord;
import dev.semel.admin.KeyState;
import dev.semel.internal.ClaimingProcess;
import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import dev.semel.json.JsonValue;
import java.util.OptionalInt;

/** The JSON form of a key's record. */
public final class KeyDocument {
  /** A record in a listing. */
  public static final DocumentSchema SCHEMA =
      DocumentSchema.of(
          "Key",
          text("key"),
          text("tenant"),
          text("operation"),
          text("id"),
          text("state"),
          integer("attempt"),
          text("request_id"),
          integer("age_ms"),
          integer("lease_left_ms").nullable(),
          integer("retention_left_ms"),
          text("fingerprint"),
          text("payload_type"),
          integer("payload_bytes"),
          integer("exit_code").optional(),
          text("claimed_by").optional());

  static final DocumentSchema WHOLE = SCHEMA.with("KeyDetails", text("effect_key"));

  static final DocumentSchema PAGE = SCHEMA.page("keys");

  /** The stored response of a key. */
  static final DocumentSchema PAYLOAD =
      DocumentSchema.of("KeyPayload", text("type"), text("base64"));

  private KeyDocument() {}

  public static JsonObjectBuilder json(KeyRecord each) {
    JsonObjectBuilder members =
        Json.object()
            .with("key", each.key().text())
            .with("tenant", each.key().tenant().name())
            .with("operation", each.key().operation().name())
            .with("id", each.key().id())
            .with("state", each.state().word())
            .with("attempt", each.attempt())
            .with("request_id", ClaimingProcess.ownId(each.requestId()))
            .with("age_ms", each.age().toMillis());
    each.leaseLeft()
        .ifPresentOrElse(
            left -> members.with("lease_left_ms", left.toMillis()),
            () -> members.withNull("lease_left_ms"));
    members
        .with("retention_left_ms", each.retentionLeft().toMillis())
        .with("fingerprint", each.fingerprint())
        .with("payload_type", each.payloadType())
        .with("payload_bytes", each.payloadBytes());
    each.exitCode().ifPresent(code -> members.with("exit_code", code));
    ClaimingProcess.in(each.requestId()).ifPresent(by -> members.with("claimed_by", by.text()));
    return members;
  }

  /** A single record, with its effect key. */
  public static JsonObjectBuilder whole(KeyRecord each) {
    return json(each).with("effect_key", each.key().effectKey());
  }

  public static JsonObjectBuilder json(KeyPage page) {
    return ListingDocument.json(
        "keys", page.keys().stream().map(each -> json(each).build()).toList(), page.next());
  }

  public static KeyRecord read(JsonValue value) {
    MemberReader from = MemberReader.of(value);
    return new KeyRecord(
        Key.parse(from.text("key")),
        from.choice("state", KeyState.class),
        from.integer("attempt"),
        ClaimingProcess.joined(from.text("request_id"), from.textOrEmpty("claimed_by")),
        from.millis("age_ms"),
        from.findMillis("lease_left_ms"),
        from.millis("retention_left_ms"),
        from.text("fingerprint"),
        from.text("payload_type"),
        from.integer("payload_bytes"),
        from.find("exit_code").isPresent()
            ? OptionalInt.of(from.integer("exit_code"))
            : OptionalInt.empty());
  }

  public static KeyPage readPage(JsonValue value) {
    MemberReader from = MemberReader.of(value);
    return new KeyPage(from.items("keys", KeyDocument::read), from.textOrEmpty("next"));
  }
}

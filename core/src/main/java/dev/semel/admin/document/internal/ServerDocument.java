package dev.semel.admin.document.internal;

import static dev.semel.admin.document.internal.DocumentSchema.integer;
import static dev.semel.admin.document.internal.DocumentSchema.map;
import static dev.semel.admin.document.internal.DocumentSchema.object;
import static dev.semel.admin.document.internal.DocumentSchema.objects;
import static dev.semel.admin.document.internal.DocumentSchema.text;
import static dev.semel.admin.document.internal.DocumentSchema.texts;
import static dev.semel.admin.document.internal.DocumentSchema.time;
import static dev.semel.admin.document.internal.DocumentSchema.truth;

/** The JSON forms of a server's own state and of its streams. */
final class ServerDocument {
  private static final DocumentSchema USED =
      DocumentSchema.of("QuotaUse", integer("used"), integer("limit"));

  /** The server's set-up; the program that started the server fills {@code server}. */
  static final DocumentSchema CONFIG =
      DocumentSchema.of("Config", text("store"), texts("parts"), map("server"));

  static final DocumentSchema CALLER = DocumentSchema.of("Caller", text("name"), text("role"));

  static final DocumentSchema QUOTAS =
      DocumentSchema.of(
          "Quotas",
          objects(
              "quotas",
              DocumentSchema.of(
                  "Quota",
                  text("token"),
                  texts("prefixes"),
                  object("connections", USED).optional(),
                  object("stored_bytes", USED).optional())));

  static final DocumentSchema STREAMS =
      DocumentSchema.of(
          "Streams",
          objects(
              "streams",
              DocumentSchema.of(
                  "Stream",
                  text("path"),
                  text("content_type"),
                  text("start"),
                  text("tail"),
                  truth("closed"),
                  integer("ttl_seconds").optional(),
                  time("expires_at").optional(),
                  text("forked_from").optional())),
          text("next").optional());

  static final DocumentSchema PRODUCERS =
      DocumentSchema.of(
          "Producers",
          text("stream"),
          objects(
              "producers",
              DocumentSchema.of(
                  "Producer",
                  text("id"),
                  truth("managed"),
                  integer("epoch"),
                  integer("last_seq").optional(),
                  time("last_used"))));

  private ServerDocument() {}
}

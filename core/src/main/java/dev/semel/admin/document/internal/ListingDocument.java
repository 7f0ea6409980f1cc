package dev.semel.admin.document.internal;

import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import dev.semel.json.JsonValue;
import java.util.List;

/** A part of a listing: its entries under their name, and where it goes on. */
final class ListingDocument {
  private ListingDocument() {}

  /**
   * A listing with its cursor.
   *
   * @param next empty: it is whole
   */
  static JsonObjectBuilder json(String name, List<? extends JsonValue> entries, String next) {
    JsonObjectBuilder listing = Json.object().with(name, entries);
    return next.isEmpty() ? listing.withNull("next") : listing.with("next", next);
  }
}

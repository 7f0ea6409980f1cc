package dev.semel.admin.document.internal;

import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import dev.semel.json.JsonValue;
import java.util.List;

/** A page of a listing: its entries under their name, and the cursor of the next page. */
final class ListingDocument {
  private ListingDocument() {}

  /**
   * A page with its cursor.
   *
   * @param next empty: this is the last page
   */
  static JsonObjectBuilder json(String name, List<? extends JsonValue> entries, String next) {
    JsonObjectBuilder listing = Json.object().with(name, entries);
    return next.isEmpty() ? listing.withNull("next") : listing.with("next", next);
  }
}

package dev.semel.admin.document.internal;

import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonNull;
import dev.semel.json.JsonValue.JsonObject;
import java.util.List;
import java.util.stream.Stream;

/** The tables that can be exported, and their CSV columns, which never depend on the data. */
@SuppressWarnings("ImmutableEnumChecker") // an immutable record and list
public enum ExportTable {
  /** Rows are {@link KeyDocument#json(dev.semel.admin.KeyRecord)}. */
  KEYS(KeyDocument.SCHEMA),
  /** Rows are {@link EventDocument#row}. */
  EVENTS(EventDocument.ROW),
  /** Rows are {@link StatsDocument#row}. */
  STATS(StatsDocument.ROW);

  /** The column with a row's other members, as a JSON object. */
  private static final String DETAILS = "details";

  private final DocumentSchema row;
  private final List<String> columns;

  ExportTable(DocumentSchema row) {
    this.row = row;
    this.columns = columns(row.names());
  }

  private static List<String> columns(List<String> members) {
    return members.contains(DETAILS)
        ? members
        : Stream.concat(members.stream(), Stream.of(DETAILS)).toList();
  }

  public DocumentSchema row() {
    return row;
  }

  public List<String> columns() {
    return columns;
  }

  /** The CSV line with the names of the columns. */
  public String heading() {
    return Csv.row(columns);
  }

  /** A CSV line. Members without a column are in {@code details}. */
  public String line(JsonObject members) {
    return Csv.row(columns.stream().map(column -> Csv.cell(cell(members, column))).toList());
  }

  private JsonValue cell(JsonObject members, String column) {
    return members
        .get(column)
        .orElseGet(() -> column.equals(DETAILS) ? rest(members) : new JsonNull());
  }

  private JsonObject rest(JsonObject members) {
    JsonObjectBuilder rest = Json.object();
    members
        .members()
        .forEach(
            (name, value) -> {
              if (!columns.contains(name)) {
                rest.with(name, value);
              }
            });
    return rest.build();
  }
}

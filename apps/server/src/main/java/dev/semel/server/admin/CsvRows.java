package dev.semel.server.admin;

import dev.semel.admin.document.Csv;
import dev.semel.idempotency.spi.DecisionCounter;
import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import dev.semel.json.JsonValue.JsonNull;
import dev.semel.json.JsonValue.JsonObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Documents as rows, by RFC 4180. What has no column of its own stands in the last one, as JSON.
 *
 * @param columns of them
 */
record CsvRows(List<String> columns) {
  private static final String REST = "details";

  static CsvRows of(LineExport.What what) {
    return new CsvRows(
        switch (what) {
          case KEYS ->
              List.of(
                  "key",
                  "tenant",
                  "operation",
                  "id",
                  "state",
                  "attempt",
                  "request_id",
                  "age_ms",
                  "lease_left_ms",
                  "retention_left_ms",
                  "fingerprint",
                  "payload_type",
                  "payload_bytes");
          case EVENTS ->
              List.of("at", "kind", "tenant", "operation", "id", "writer", "number", "hash");
          case STATS -> stats();
        });
  }

  private static List<String> stats() {
    List<String> columns = new ArrayList<>(List.of("tenant", "operation"));
    Arrays.stream(DecisionCounter.values()).map(DecisionCounter::field).forEach(columns::add);
    columns.add("hit_rate");
    return columns;
  }

  void heading(StringBuilder text) {
    text.append(String.join(",", columns)).append(',').append(REST).append(Csv.LINE_END);
  }

  void row(StringBuilder text, JsonObject each) {
    for (String column : columns) {
      text.append(Csv.cell(each.get(column).orElse(new JsonNull()))).append(',');
    }
    JsonObjectBuilder rest = Json.object();
    each.members()
        .forEach(
            (name, value) -> {
              if (!columns.contains(name)) {
                rest.with(name, value);
              }
            });
    text.append(Csv.cell(rest.build())).append(Csv.LINE_END);
  }
}

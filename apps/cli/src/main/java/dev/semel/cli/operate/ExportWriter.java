package dev.semel.cli.operate;

import dev.semel.admin.document.Csv;
import dev.semel.idempotency.spi.DecisionCounter;
import dev.semel.idempotency.spi.DuplicateAge;
import dev.semel.json.Json;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonNull;
import dev.semel.json.JsonValue.JsonObject;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Writes rows as they come. For one thread. */
final class ExportWriter {
  private final ExportCommand.What what;
  private final ExportFormat format;
  private final PrintStream out;
  private final List<String> columns;
  private long rows;

  ExportWriter(ExportCommand.What what, ExportFormat format, PrintStream out) {
    this.what = what;
    this.format = format;
    this.out = out;
    this.columns = columns(what);
  }

  /** Those of a file with columns: always the same ones, whatever there is. */
  private static List<String> columns(ExportCommand.What what) {
    return switch (what) {
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
              "payload_bytes",
              "exit_code",
              "claimed_by");
      case EVENTS ->
          List.of(
              "at",
              "kind",
              "tenant",
              "operation",
              "id",
              "erased",
              "details",
              "personal",
              "writer",
              "number",
              "hash");
      case STATS -> {
        List<String> all = new ArrayList<>(List.of("tenant", "operation"));
        Stream.of(DecisionCounter.values()).map(DecisionCounter::field).forEach(all::add);
        all.add("hit_rate");
        Stream.of(DuplicateAge.values()).map(DuplicateAge::field).forEach(all::add);
        yield List.copyOf(all);
      }
    };
  }

  /** With the first row, or the end: what fails before leaves no half of a document. */
  private void begin() {
    switch (format) {
      case JSON -> out.print("{\"" + what.name().toLowerCase(Locale.ROOT) + "\":[");
      case CSV -> out.print(Csv.row(columns));
      case JSONL -> {}
    }
  }

  void row(JsonObject row) {
    if (rows == 0) {
      begin();
    }
    switch (format) {
      case JSON -> out.print((rows == 0 ? "" : ",\n") + Json.write(row));
      case JSONL -> out.print(Json.write(row) + "\n");
      case CSV -> out.print(Csv.row(columns.stream().map(name -> cell(row, name)).toList()));
    }
    rows++;
  }

  private static String cell(JsonObject row, String column) {
    JsonValue value = row.get(column).orElse(new JsonNull());
    return Csv.cell(value);
  }

  void end() {
    if (rows == 0) {
      begin();
    }
    if (format == ExportFormat.JSON) {
      out.print("]}\n");
    }
    out.flush();
  }

  long rows() {
    return rows;
  }

  /** False: whoever reads us has seen enough, or the disk is full. */
  boolean wanted() {
    return !out.checkError();
  }
}

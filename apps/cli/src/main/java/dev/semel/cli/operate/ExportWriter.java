package dev.semel.cli.operate;

import dev.semel.admin.document.internal.ExportTable;
import dev.semel.internal.PrintableText;
import dev.semel.json.Json;
import dev.semel.json.JsonValue.JsonObject;
import java.io.PrintStream;

/** Writes rows as they come. For one thread. */
final class ExportWriter {
  private final ExportTable table;
  private final ExportFormat format;
  private final PrintStream out;
  private long rows;

  ExportWriter(ExportTable table, ExportFormat format, PrintStream out) {
    this.table = table;
    this.format = format;
    this.out = out;
  }

  /**
   * Called with the first row, or at the end, so that an earlier failure leaves no partial
   * document.
   */
  private void begin() {
    switch (format) {
      case JSON -> out.print("{\"" + PrintableText.word(table) + "\":[");
      case CSV -> out.print(table.heading());
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
      case CSV -> out.print(table.line(row));
    }
    rows++;
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

  /** False: the reader has left, or the disk is full. */
  boolean wanted() {
    return !out.checkError();
  }
}

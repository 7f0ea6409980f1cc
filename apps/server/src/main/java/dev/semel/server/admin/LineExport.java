package dev.semel.server.admin;

import dev.semel.admin.ControlCenter;
import dev.semel.admin.KeyFilter;
import dev.semel.admin.document.internal.AdminAction;
import dev.semel.admin.document.internal.EventDocument;
import dev.semel.admin.document.internal.ExportTable;
import dev.semel.admin.document.internal.KeyDocument;
import dev.semel.admin.document.internal.StatsDocument;
import dev.semel.event.spi.EventStore;
import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.server.http.HeaderNames;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.concurrent.Semaphore;

/** Exports a whole table, line by line. It holds one page at a time, however large the table is. */
final class LineExport {
  /**
   * Limit of concurrent exports, because each uses a connection to the store. Exports beyond it are
   * refused.
   */
  static final int MAX_EXPORTS = 8;

  private static final int PAGE = 500;
  private static final CharSequence JSON_LINES = HeaderNames.name("application/x-ndjson");
  private static final CharSequence CSV = HeaderNames.name("text/csv; charset=utf-8");

  /** Format of the export. */
  enum Form {
    JSONL,
    CSV
  }

  private final Semaphore running = new Semaphore(MAX_EXPORTS);

  List<AdminRoute> all() {
    return List.of(AdminRoute.flow(AdminAction.EXPORT, this::begin));
  }

  private void begin(AdminRequest asked, AdminExchange exchange) {
    ExportTable table = asked.choice("what", ExportTable.class);
    Form form = asked.choice("format", Form.class);
    String prefix = asked.text("prefix");
    if (!running.tryAcquire()) {
      AdminRefusals.send(exchange.request(), AdminRefusals.BUSY);
      return;
    }
    exchange.beside(
        () -> {
          try {
            Lines lines = new Lines(table, form, exchange);
            switch (table) {
              case KEYS -> keys(asked.center(), prefix, lines);
              case EVENTS -> events(asked.center(), lines);
              case STATS -> stats(asked.center(), lines);
            }
          } finally {
            running.release();
          }
          exchange.onLoop(() -> exchange.response().end());
        });
  }

  private static void keys(ControlCenter center, String prefix, Lines lines) {
    String next = "";
    do {
      ControlCenter.KeyPage page = center.keys(KeyFilter.startingWith(prefix), next, PAGE);
      lines.page(page.keys().stream().map(each -> KeyDocument.json(each).build()).toList());
      next = page.next();
    } while (!next.isEmpty());
  }

  private static void events(ControlCenter center, Lines lines) {
    String cursor = "";
    while (true) {
      EventStore.Page page = center.events(cursor, PAGE);
      lines.page(
          page.lines().stream()
              .map(each -> lines.csv() ? EventDocument.row(each) : EventDocument.json(each))
              .map(JsonObjectBuilder::build)
              .toList());
      if (page.lines().isEmpty()) {
        return;
      }
      cursor = page.next();
    }
  }

  private static void stats(ControlCenter center, Lines lines) {
    lines.page(
        center.stats().operations().stream()
            .map(each -> lines.csv() ? StatsDocument.row(each) : StatsDocument.json(each))
            .map(JsonObjectBuilder::build)
            .toList());
  }

  /** Writes pages. The answer begins with the first page, once the store has answered. */
  private static final class Lines {
    private final ExportTable table;
    private final Form form;
    private final AdminExchange exchange;
    private boolean begun;

    Lines(ExportTable table, Form form, AdminExchange exchange) {
      this.table = table;
      this.form = form;
      this.exchange = exchange;
    }

    boolean csv() {
      return form == Form.CSV;
    }

    void page(List<JsonObject> entries) {
      StringBuilder text = new StringBuilder();
      if (!begun) {
        begun = true;
        exchange.onLoop(
            () ->
                exchange
                    .response()
                    .setChunked(true)
                    .putHeader(HeaderNames.CONTENT_TYPE, csv() ? CSV : JSON_LINES)
                    .putHeader(HeaderNames.CACHE_CONTROL, HeaderNames.NO_STORE));
        text.append(csv() ? table.heading() : "");
      }
      for (JsonObject each : entries) {
        text.append(csv() ? table.line(each) : Json.write(each) + "\n");
      }
      if (!text.isEmpty()) {
        exchange.write(Buffer.buffer(text.toString()));
      }
    }
  }
}

package dev.semel.server.admin;

import dev.semel.admin.ControlCenter;
import dev.semel.admin.KeyFilter;
import dev.semel.admin.document.EventDocument;
import dev.semel.admin.document.KeyDocument;
import dev.semel.admin.document.StatsDocument;
import dev.semel.event.EventStore;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.server.http.HeaderNames;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;

/** Everything of a kind, line by line, however much it is: no more is held than a page. */
final class LineExport {
  /** More than this at a time are refused: each holds a connection to the store now and then. */
  static final int MAX_EXPORTS = 8;

  private static final int PAGE = 500;
  private static final CharSequence JSON_LINES = HeaderNames.name("application/x-ndjson");
  private static final CharSequence CSV = HeaderNames.name("text/csv; charset=utf-8");

  /** What can be exported. */
  enum What {
    KEYS,
    EVENTS,
    STATS
  }

  /** In which form. */
  enum Form {
    JSONL,
    CSV
  }

  private final Semaphore running = new Semaphore(MAX_EXPORTS);

  List<AdminRoute> all() {
    return List.of(
        new AdminRoute(
            "GET",
            "export",
            false,
            "All keys, events or counts, as lines of JSON or as CSV.",
            RouteParameter.list(
                new RouteParameter("what", "keys (if not given), events or stats."),
                new RouteParameter("format", "jsonl (if not given) or csv."),
                new RouteParameter("prefix", "Only keys that begin so.")),
            (AdminRoute.Flow) this::begin));
  }

  private void begin(AdminRequest asked, AdminExchange exchange) {
    What what = asked.choice("what", What.KEYS, What.class);
    Form form = asked.choice("format", Form.JSONL, Form.class);
    String prefix = asked.text("prefix");
    if (!running.tryAcquire()) {
      AdminRefusals.send(exchange.request(), AdminRefusals.BUSY);
      return;
    }
    exchange.beside(
        () -> {
          try {
            write(asked.center(), what, prefix, new Lines(what, form, exchange));
          } finally {
            running.release();
          }
          exchange.onLoop(() -> exchange.response().end());
        });
  }

  private static void write(ControlCenter center, What what, String prefix, Lines lines) {
    switch (what) {
      case KEYS -> keys(center, prefix, lines);
      case EVENTS -> events(center, lines);
      case STATS ->
          lines.page(
              center.stats().operations().stream()
                  .map(each -> StatsDocument.json(each).build())
                  .toList());
    }
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
      lines.page(page.lines().stream().map(each -> EventDocument.json(each).build()).toList());
      if (page.lines().isEmpty()) {
        return;
      }
      cursor = page.next();
    }
  }

  /** Writes pages; the answer begins with the first, when the store has answered. */
  private static final class Lines {
    private final AdminExchange exchange;
    private final Consumer<StringBuilder> heading;
    private final CsvRows csv;
    private final Form form;
    private boolean begun;

    Lines(What what, Form form, AdminExchange exchange) {
      this.exchange = exchange;
      this.form = form;
      this.csv = CsvRows.of(what);
      this.heading = form == Form.CSV ? csv::heading : text -> {};
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
                    .putHeader(HeaderNames.CONTENT_TYPE, form == Form.CSV ? CSV : JSON_LINES)
                    .putHeader(HeaderNames.CACHE_CONTROL, HeaderNames.NO_STORE));
        heading.accept(text);
      }
      for (JsonObject each : entries) {
        switch (form) {
          case JSONL -> text.append(dev.semel.json.Json.write(each)).append('\n');
          case CSV -> csv.row(text, each);
        }
      }
      if (!text.isEmpty()) {
        exchange.write(Buffer.buffer(text.toString()));
      }
    }
  }
}

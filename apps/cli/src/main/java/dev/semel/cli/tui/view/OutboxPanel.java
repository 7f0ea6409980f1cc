package dev.semel.cli.tui.view;

import dev.semel.cli.tui.TuiModel;
import dev.semel.outbox.spi.OutboxOperations;
import java.time.Duration;
import java.util.Locale;

/** Draws the outbox: messages on their way to a broker. */
final class OutboxPanel {
  static final String TITLE = "Transactional outbox";

  /** The limit of the alert of that name. */
  static final Duration LAG_LIMIT = Duration.ofMinutes(5);

  private static final int LINES = 7;
  private static final int MOST_BAR_ROWS = 8;

  private OutboxPanel() {}

  static void draw(Canvas sheet, TuiModel model) {
    if (model.overview().isEmpty()) {
      LoadingPanel.draw(sheet, model);
      return;
    }
    if (model.overview().get().outbox().isEmpty()) {
      sheet.text(1, 0, "There is no outbox here.", TextTone.MUTED);
      sheet.wrapped(
          1,
          1,
          "Name the application's database with --database, or give it to semel serve.",
          TextTone.MUTED);
      return;
    }
    OutboxOperations.Status status = model.overview().get().outbox().get();
    relays(sheet, status);
    sheet.pair(
        1,
        "Pending / failing / dead",
        "%s / %s / %s"
            .formatted(
                NumberFormats.count(status.pending()),
                NumberFormats.count(status.failing()),
                NumberFormats.count(status.dead())),
        status.dead() > 0 ? TextTone.BAD : status.failing() > 0 ? TextTone.WARN : TextTone.GOOD);
    Duration oldest = status.oldest().orElse(Duration.ZERO);
    boolean late = oldest.compareTo(LAG_LIMIT) > 0;
    sheet.pair(
        2,
        "Oldest pending (alert > 5m)",
        status.oldest().map(NumberFormats::time).orElse("none"),
        late ? TextTone.BAD : TextTone.GOOD);
    double perSecond =
        status.relays().stream().mapToDouble(OutboxOperations.RelayStatus::perSecond).sum();
    sheet.pair(
        3, "Relay rate", String.format(Locale.ROOT, "%,.0f/min", perSecond * 60), TextTone.STRONG);
    sheet.pair(4, "Errors", errors(status), TextTone.MUTED);
    sheet.pair(5, "Kept after publishing", NumberFormats.count(status.kept()), TextTone.MUTED);
    lag(sheet, oldest, late);
    int rows = Math.min(sheet.height() - LINES - 1, MOST_BAR_ROWS);
    if (rows > 0) {
      double top = model.rates().stream().mapToDouble(Double::doubleValue).max().orElse(0);
      int columns = Math.min(sheet.width() - 2, model.rates().size());
      BarChart.draw(
          sheet.part(1, LINES + 1, columns, rows),
          model.rates().subList(model.rates().size() - columns, model.rates().size()),
          top,
          rate -> TextTone.ACCENT);
    }
  }

  private static void relays(Canvas sheet, OutboxOperations.Status status) {
    int relays = status.relays().size();
    boolean needed = status.pending() > 0;
    TextTone tone = relays > 0 ? TextTone.GOOD : needed ? TextTone.BAD : TextTone.MUTED;
    int x = sheet.text(1, 0, "● ", tone);
    x = sheet.text(x, 0, relays == 1 ? "1 relay " : relays + " relays ", TextTone.PLAIN);
    String names =
        relays == 0
            ? needed ? "nobody publishes what is pending" : "nothing to publish"
            : String.join(
                ", ", status.relays().stream().map(OutboxOperations.RelayStatus::relay).toList());
    sheet.text(x, 0, names, relays == 0 && needed ? TextTone.BAD : TextTone.MUTED);
  }

  private static String errors(OutboxOperations.Status status) {
    long failed = status.relays().stream().mapToLong(relay -> relay.counts().failed()).sum();
    long sent = status.relays().stream().mapToLong(relay -> relay.counts().published()).sum();
    double share = failed + sent == 0 ? 0 : (double) failed / (failed + sent);
    return String.format(Locale.ROOT, "%.2f%% (%,d/%,d)", share * 100, failed, failed + sent);
  }

  private static void lag(Canvas sheet, Duration oldest, boolean late) {
    int x = sheet.text(1, LINES - 1, "Lag budget ", TextTone.PLAIN);
    int columns = sheet.width() - 1 - x;
    if (columns > 0) {
      double share = (double) oldest.toMillis() / LAG_LIMIT.toMillis();
      sheet.text(x, LINES - 1, "─".repeat(columns), TextTone.BORDER);
      sheet.text(x, LINES - 1, BarChart.lying(share, columns), late ? TextTone.BAD : TextTone.GOOD);
    }
  }
}

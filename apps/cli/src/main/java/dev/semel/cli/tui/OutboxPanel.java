package dev.semel.cli.tui;

import dev.semel.outbox.OutboxOperations;
import java.time.Duration;
import java.util.Locale;

/** Messages on their way to a broker. */
final class OutboxPanel {
  static final String TITLE = "Transactional outbox";

  /** As in the alert of that name. */
  static final Duration LAG_LIMIT = Duration.ofMinutes(5);

  private static final int LINES = 7;
  private static final int MOST_BAR_ROWS = 8;

  private OutboxPanel() {}

  static void draw(Sheet sheet, Model model) {
    if (model.overview().isEmpty()) {
      Waiting.draw(sheet, model);
      return;
    }
    if (model.overview().get().outbox().isEmpty()) {
      sheet.text(1, 0, "There is no outbox here.", Tone.MUTED);
      sheet.wrapped(
          1,
          1,
          "Name the application's database with --database, or give it to semel serve.",
          Tone.MUTED);
      return;
    }
    OutboxOperations.Status status = model.overview().get().outbox().get();
    relays(sheet, status);
    sheet.pair(
        1,
        "Pending / failing / dead",
        "%s / %s / %s"
            .formatted(
                Figures.count(status.pending()),
                Figures.count(status.failing()),
                Figures.count(status.dead())),
        status.dead() > 0 ? Tone.BAD : status.failing() > 0 ? Tone.WARN : Tone.GOOD);
    Duration oldest = status.oldest().orElse(Duration.ZERO);
    boolean late = oldest.compareTo(LAG_LIMIT) > 0;
    sheet.pair(
        2,
        "Oldest pending (alert > 5m)",
        status.oldest().map(Figures::time).orElse("none"),
        late ? Tone.BAD : Tone.GOOD);
    double perSecond =
        status.relays().stream().mapToDouble(OutboxOperations.RelayStatus::perSecond).sum();
    sheet.pair(
        3, "Relay rate", String.format(Locale.ROOT, "%,.0f/min", perSecond * 60), Tone.STRONG);
    sheet.pair(4, "Errors", errors(status), Tone.MUTED);
    sheet.pair(5, "Kept after publishing", Figures.count(status.kept()), Tone.MUTED);
    lag(sheet, oldest, late);
    int rows = Math.min(sheet.height() - LINES - 1, MOST_BAR_ROWS);
    if (rows > 0) {
      double top = model.rates().stream().mapToDouble(Double::doubleValue).max().orElse(0);
      int columns = Math.min(sheet.width() - 2, model.rates().size());
      Bars.draw(
          sheet.part(1, LINES + 1, columns, rows),
          model.rates().subList(model.rates().size() - columns, model.rates().size()),
          top,
          rate -> Tone.ACCENT);
    }
  }

  private static void relays(Sheet sheet, OutboxOperations.Status status) {
    int relays = status.relays().size();
    boolean needed = status.pending() > 0;
    Tone tone = relays > 0 ? Tone.GOOD : needed ? Tone.BAD : Tone.MUTED;
    int x = sheet.text(1, 0, "● ", tone);
    x = sheet.text(x, 0, relays == 1 ? "1 relay " : relays + " relays ", Tone.PLAIN);
    String names =
        relays == 0
            ? needed ? "nobody publishes what is pending" : "nothing to publish"
            : String.join(
                ", ", status.relays().stream().map(OutboxOperations.RelayStatus::relay).toList());
    sheet.text(x, 0, names, relays == 0 && needed ? Tone.BAD : Tone.MUTED);
  }

  private static String errors(OutboxOperations.Status status) {
    long failed = status.relays().stream().mapToLong(relay -> relay.counts().failed()).sum();
    long sent = status.relays().stream().mapToLong(relay -> relay.counts().published()).sum();
    double share = failed + sent == 0 ? 0 : (double) failed / (failed + sent);
    return String.format(Locale.ROOT, "%.2f%% (%,d/%,d)", share * 100, failed, failed + sent);
  }

  private static void lag(Sheet sheet, Duration oldest, boolean late) {
    int x = sheet.text(1, LINES - 1, "Lag budget ", Tone.PLAIN);
    int columns = sheet.width() - 1 - x;
    if (columns > 0) {
      double share = (double) oldest.toMillis() / LAG_LIMIT.toMillis();
      sheet.text(x, LINES - 1, "─".repeat(columns), Tone.BORDER);
      sheet.text(x, LINES - 1, Bars.lying(share, columns), late ? Tone.BAD : Tone.GOOD);
    }
  }
}

package dev.semel.cli.tui.view;

import dev.semel.admin.StoreStats;
import dev.semel.cli.tui.DuplicateFeed;
import dev.semel.cli.tui.OverviewData;
import dev.semel.cli.tui.TuiModel;
import dev.semel.idempotency.spi.DecisionCounter;
import dev.semel.idempotency.spi.StatisticsStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Draws the duplicates: a gauge, the counts, the last day, and the newest ones. */
final class StatsPanel {
  static final String TITLE = "Deduplication";

  /** A share of duplicates that deserves a look: the limit of the alert of that name. */
  static final double MANY = 0.2;

  private static final int FIGURES = 7;
  private static final int DONUT_ROWS = 8;
  private static final int TREND_ROWS = 3;
  private static final int BESIDE = 60;
  private static final int DONUT_COLUMNS = 28;
  private static final int LEAST_FEED = 4;
  private static final Duration FRESH = Duration.ofSeconds(5);

  private StatsPanel() {}

  static void draw(Canvas sheet, TuiModel model) {
    if (model.overview().isEmpty()) {
      LoadingPanel.draw(sheet, model);
      return;
    }
    OverviewData overview = model.overview().get();
    double share = overview.blockedShare();
    TextTone tone = share > MANY ? TextTone.WARN : TextTone.GOOD;
    int y = 0;
    int rest = TREND_ROWS + 1 + LEAST_FEED;
    if (sheet.width() >= BESIDE && sheet.height() >= FIGURES + rest) {
      int rows = Math.min(DONUT_ROWS, sheet.height() - rest);
      DonutChart.draw(sheet.part(0, 0, DONUT_COLUMNS, rows), share, "blocked", tone);
      figures(sheet.part(DONUT_COLUMNS, 0, sheet.width() - DONUT_COLUMNS, rows), overview);
      y = rows;
    } else if (sheet.height() >= DONUT_ROWS + FIGURES + rest) {
      DonutChart.draw(sheet.part(0, 0, sheet.width(), DONUT_ROWS), share, "blocked", tone);
      figures(sheet.part(0, DONUT_ROWS, sheet.width(), FIGURES), overview);
      y = DONUT_ROWS + FIGURES;
    } else {
      int wide = Math.max(0, sheet.width() - 18);
      sheet.text(1, 0, "─".repeat(wide), TextTone.BORDER);
      sheet.text(1, 0, BarChart.lying(share, wide), tone);
      sheet.right(sheet.width() - 1, 0, NumberFormats.percent(share) + " blocked", tone);
      int rows = Math.min(FIGURES, sheet.height() - 1);
      figures(sheet.part(0, 1, sheet.width(), rows), overview);
      y = 1 + rows;
    }
    if (sheet.height() - y >= TREND_ROWS + 1) {
      sheet.rule(y, "Duplicate rate, 24h", TextTone.STRONG);
      trend(sheet.part(0, y + 1, sheet.width(), TREND_ROWS), overview.stats());
      y += TREND_ROWS + 1;
    }
    if (sheet.height() - y >= 2) {
      sheet.rule(y, "Recent duplicates blocked", TextTone.STRONG);
      feed(sheet.below(y + 1), model);
    }
  }

  private static void figures(Canvas sheet, OverviewData overview) {
    long twice = overview.stats().total().get(DecisionCounter.RAN_TWICE);
    sheet.pair(
        0,
        "Requests (24h)",
        NumberFormats.count(overview.lastDay(DecisionCounter.REQUESTS)),
        TextTone.STRONG);
    sheet.pair(
        1,
        "Duplicates blocked",
        NumberFormats.count(overview.lastDay(DecisionCounter.DUPLICATES)),
        TextTone.ACCENT);
    sheet.pair(
        2,
        "Executed",
        NumberFormats.count(overview.lastDay(DecisionCounter.EXECUTED)),
        TextTone.GOOD);
    sheet.pair(
        3,
        "Executed twice (audit)",
        NumberFormats.count(twice),
        twice == 0 ? TextTone.GOOD : TextTone.BAD);
    String about = overview.stats().usage().exact() ? "" : "~";
    sheet.pair(
        4,
        "Active keys",
        about + NumberFormats.count(overview.stats().usage().activeKeys()),
        TextTone.STRONG);
    sheet.pair(
        5,
        "Storage",
        about + NumberFormats.bytes(overview.stats().usage().bytes()),
        TextTone.STRONG);
    sheet.pair(6, "Counts read in", NumberFormats.millis(overview.answered()), TextTone.MUTED);
  }

  /** Share of duplicates among the requests of each hour, the current one last. */
  static List<Double> rates(StoreStats stats) {
    int hours = (int) StatisticsStore.TREND.dividedBy(StoreStats.STEP);
    List<Double> rates = new ArrayList<>(java.util.Collections.nCopies(hours, 0.0));
    for (StoreStats.Point point : stats.trend()) {
      long ago = Duration.between(point.start(), stats.now()).dividedBy(StoreStats.STEP);
      if (ago >= 0 && ago < hours) {
        rates.set(hours - 1 - (int) ago, point.counts().hitRate());
      }
    }
    return rates;
  }

  private static void trend(Canvas sheet, StoreStats stats) {
    List<Double> rates = rates(stats);
    double top = rates.stream().mapToDouble(Double::doubleValue).max().orElse(0);
    if (top == 0) {
      sheet.text(1, sheet.height() - 1, "no duplicates in the last day", TextTone.MUTED);
      return;
    }
    BarChart.draw(sheet, rates, top, rate -> rate > MANY ? TextTone.WARN : TextTone.GOOD);
  }

  private static void feed(Canvas sheet, TuiModel model) {
    List<DuplicateFeed.Blocked> newest = model.feed().newest();
    if (newest.isEmpty()) {
      sheet.text(1, 0, "none yet", TextTone.MUTED);
      return;
    }
    int ago = sheet.width() - 5;
    int operation = Math.max(sheet.width() * 55 / 100, ago - 16);
    for (int y = 0; y < Math.min(sheet.height(), newest.size()); y++) {
      DuplicateFeed.Blocked blocked = newest.get(y);
      boolean fresh = blocked.at().isAfter(model.now().minus(FRESH));
      sheet.text(1, y, "×", TextTone.BAD);
      sheet.text(
          3,
          y,
          TerminalText.middle(blocked.id(), operation - 4),
          fresh ? TextTone.BAD : TextTone.PLAIN);
      sheet.text(
          operation, y, TerminalText.cut(blocked.operation(), ago - operation - 1), TextTone.MUTED);
      sheet.right(sheet.width() - 1, y, ago(blocked.at(), model.now()), TextTone.MUTED);
    }
  }

  private static String ago(Instant at, Instant now) {
    return NumberFormats.ago(Duration.between(at, now));
  }
}

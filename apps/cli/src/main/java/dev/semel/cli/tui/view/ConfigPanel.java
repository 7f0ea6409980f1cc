package dev.semel.cli.tui.view;

import dev.semel.Key;
import dev.semel.admin.OperationRecord;
import dev.semel.cli.tui.OverviewData;
import dev.semel.cli.tui.Panel;
import dev.semel.cli.tui.TuiModel;
import dev.semel.idempotency.ExecutionPolicy;
import dev.semel.idempotency.OperationSetting;
import dev.semel.idempotency.OperationSettings;
import dev.semel.idempotency.ProtectionMode;
import dev.semel.internal.DurationText;
import dev.semel.internal.PrintableText;
import java.util.List;

/**
 * Draws the settings of each operation, the common settings, recommendations, and possible actions.
 */
final class ConfigPanel {
  static final String TITLE = "Configuration & tuning";

  private static final int MODE = 8;
  private static final int TTL = 5;
  private static final int STRATEGY = 8;
  private static final int SHARE = 7;
  private static final int NAMED = 11;
  private static final int GLOBALS = 6;
  private static final int ACTIONS = 2;
  private static final int WITH_STRATEGY = 40;

  private ConfigPanel() {}

  static void draw(Canvas sheet, TuiModel model) {
    if (model.overview().isEmpty()) {
      LoadingPanel.draw(sheet, model);
      return;
    }
    OverviewData overview = model.overview().get();
    Canvas above = sheet.part(0, 0, sheet.width(), sheet.height() - ACTIONS);
    boolean roomy = above.height() >= GLOBALS + 8;
    int most = roomy ? Math.max(4, above.height() - GLOBALS - 8) : Math.max(2, above.height() / 2);
    int rows = Math.min(most, Math.max(1, overview.queues().size()));
    operations(above.part(0, 0, sheet.width(), rows + 1), model, overview.queues());
    int y = rows + 1;
    if (roomy) {
      globals(above.below(y + 1), overview);
      y += GLOBALS + 2;
    }
    if (above.height() - y >= 2) {
      above.rule(y, "Advisor", TextTone.INFO);
      AdvisorLines.draw(above.below(y + 1), overview);
    }
    actions(sheet.below(sheet.height() - ACTIONS));
  }

  private static void operations(Canvas sheet, TuiModel model, List<OperationRecord> queues) {
    int share = sheet.width() - SHARE;
    int strategy = sheet.width() >= WITH_STRATEGY ? share - STRATEGY - 1 : -1;
    int ttl = (strategy < 0 ? share : strategy) - TTL;
    int mode = ttl - MODE;
    sheet.text(2, 0, mode > NAMED ? "OPERATION" : "NAME", TextTone.MUTED);
    sheet.text(mode, 0, "MODE", TextTone.MUTED);
    sheet.text(ttl, 0, "TTL", TextTone.MUTED);
    if (strategy >= 0) {
      sheet.text(strategy, 0, "KEY FROM", TextTone.MUTED);
    }
    sheet.right(sheet.width() - 1, 0, "DUP", TextTone.MUTED);
    if (queues.isEmpty()) {
      sheet.text(2, 1, "none yet", TextTone.MUTED);
    }
    int rows = sheet.height() - 1;
    int top = Math.clamp(model.operation() - rows / 2, 0, Math.max(0, queues.size() - rows));
    for (int i = 0; i < rows && top + i < queues.size(); i++) {
      OperationRecord queue = queues.get(top + i);
      OperationSettings settings = queue.settings().settings();
      int y = i + 1;
      sheet.text(2, y, TerminalText.middle(queue.operation().name(), mode - 3), TextTone.PLAIN);
      sheet.text(mode, y, PrintableText.word(settings.mode()), tone(settings.mode()));
      sheet.text(ttl, y, TerminalText.cut(retention(settings), TTL - 1), TextTone.ACCENT);
      if (strategy >= 0) {
        String from = settings.values().getOrDefault(OperationSetting.STRATEGY, "its code");
        sheet.text(strategy, y, TerminalText.cut(from, STRATEGY), TextTone.MUTED);
      }
      TextTone rate = queue.hitRate() > StatsPanel.MANY ? TextTone.BAD : TextTone.PLAIN;
      sheet.right(sheet.width() - 1, y, NumberFormats.percent(queue.hitRate()), rate);
      if (top + i == model.operation() && model.panel() == Panel.CONFIG) {
        sheet.mark(y, TextTone.CHOSEN);
        sheet.text(0, y, "▌", TextTone.FOCUS);
      }
    }
  }

  /** Without a setting the program's code decides; most programs keep our default. */
  private static String retention(OperationSettings settings) {
    return settings.values().getOrDefault(OperationSetting.RETENTION, "code");
  }

  private static TextTone tone(ProtectionMode mode) {
    return switch (mode) {
      case ENFORCE -> TextTone.GOOD;
      case OBSERVE -> TextTone.WARN;
      case OFF -> TextTone.BAD;
    };
  }

  private static void globals(Canvas sheet, OverviewData overview) {
    ExecutionPolicy usual = ExecutionPolicy.defaults();
    sheet.pair(0, "Default TTL", DurationText.format(usual.retention()), TextTone.ACCENT);
    sheet.pair(1, "Max key size", Key.MAX_BYTES + " B", TextTone.ACCENT);
    sheet.pair(2, "Store", overview.stats().store(), TextTone.ACCENT);
    sheet.pair(3, "On store failure", PrintableText.word(usual.onOutage()), TextTone.ACCENT);
    sheet.pair(
        4,
        "Holds",
        NumberFormats.count(overview.stats().usage().activeKeys())
            + " keys, "
            + NumberFormats.bytes(overview.stats().usage().bytes()),
        TextTone.ACCENT);
    int firing = overview.firing().size();
    sheet.pair(
        5,
        "Alerts",
        firing == 0 ? "none fires" : firing + " firing",
        firing == 0 ? TextTone.GOOD : TextTone.BAD);
  }

  private static void actions(Canvas sheet) {
    int x = sheet.text(1, 0, " f Force cleanup ", TextTone.BUTTON_GOOD);
    sheet.text(x + 1, 0, " s Export ", TextTone.BUTTON);
    x = sheet.text(1, 1, " ^R Reset stats ", TextTone.BUTTON_BAD);
    sheet.text(x + 1, 1, " Enter Edit ", TextTone.BUTTON);
  }
}

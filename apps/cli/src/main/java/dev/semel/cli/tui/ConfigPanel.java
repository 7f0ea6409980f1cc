package dev.semel.cli.tui;

import dev.semel.DurationText;
import dev.semel.Key;
import dev.semel.PrintableText;
import dev.semel.admin.OperationRecord;
import dev.semel.idempotency.ExecutionPolicy;
import dev.semel.idempotency.OperationSetting;
import dev.semel.idempotency.OperationSettings;
import dev.semel.idempotency.ProtectionMode;
import java.util.List;

/** What is set for each operation, what holds for all, what to tune, and what can be done. */
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

  static void draw(Sheet sheet, Model model) {
    if (model.overview().isEmpty()) {
      Waiting.draw(sheet, model);
      return;
    }
    Overview overview = model.overview().get();
    Sheet above = sheet.part(0, 0, sheet.width(), sheet.height() - ACTIONS);
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
      above.rule(y, "Advisor", Tone.INFO);
      AdvisorLines.draw(above.below(y + 1), overview);
    }
    actions(sheet.below(sheet.height() - ACTIONS));
  }

  private static void operations(Sheet sheet, Model model, List<OperationRecord> queues) {
    int share = sheet.width() - SHARE;
    int strategy = sheet.width() >= WITH_STRATEGY ? share - STRATEGY - 1 : -1;
    int ttl = (strategy < 0 ? share : strategy) - TTL;
    int mode = ttl - MODE;
    sheet.text(2, 0, mode > NAMED ? "OPERATION" : "NAME", Tone.MUTED);
    sheet.text(mode, 0, "MODE", Tone.MUTED);
    sheet.text(ttl, 0, "TTL", Tone.MUTED);
    if (strategy >= 0) {
      sheet.text(strategy, 0, "KEY FROM", Tone.MUTED);
    }
    sheet.right(sheet.width() - 1, 0, "DUP", Tone.MUTED);
    if (queues.isEmpty()) {
      sheet.text(2, 1, "none yet", Tone.MUTED);
    }
    int rows = sheet.height() - 1;
    int top = Math.clamp(model.operation() - rows / 2, 0, Math.max(0, queues.size() - rows));
    for (int i = 0; i < rows && top + i < queues.size(); i++) {
      OperationRecord queue = queues.get(top + i);
      OperationSettings settings = queue.settings().settings();
      int y = i + 1;
      sheet.text(2, y, Shown.middle(queue.operation().name(), mode - 3), Tone.PLAIN);
      sheet.text(mode, y, PrintableText.word(settings.mode()), tone(settings.mode()));
      sheet.text(ttl, y, Shown.cut(retention(settings), TTL - 1), Tone.ACCENT);
      if (strategy >= 0) {
        String from = settings.values().getOrDefault(OperationSetting.STRATEGY, "its code");
        sheet.text(strategy, y, Shown.cut(from, STRATEGY), Tone.MUTED);
      }
      Tone rate = queue.hitRate() > StatsPanel.MANY ? Tone.BAD : Tone.PLAIN;
      sheet.right(sheet.width() - 1, y, Figures.percent(queue.hitRate()), rate);
      if (top + i == model.operation() && model.panel() == Panel.CONFIG) {
        sheet.mark(y, Tone.CHOSEN);
        sheet.text(0, y, "▌", Tone.FOCUS);
      }
    }
  }

  /** Without a setting the program's own code decides; most leave it at ours. */
  private static String retention(OperationSettings settings) {
    return settings.values().getOrDefault(OperationSetting.RETENTION, "code");
  }

  private static Tone tone(ProtectionMode mode) {
    return switch (mode) {
      case ENFORCE -> Tone.GOOD;
      case OBSERVE -> Tone.WARN;
      case OFF -> Tone.BAD;
    };
  }

  private static void globals(Sheet sheet, Overview overview) {
    ExecutionPolicy usual = ExecutionPolicy.defaults();
    sheet.pair(0, "Default TTL", DurationText.format(usual.retention()), Tone.ACCENT);
    sheet.pair(1, "Max key size", Key.MAX_BYTES + " B", Tone.ACCENT);
    sheet.pair(2, "Store", overview.stats().store(), Tone.ACCENT);
    sheet.pair(3, "On store failure", PrintableText.word(usual.onOutage()), Tone.ACCENT);
    sheet.pair(
        4,
        "Holds",
        Figures.count(overview.stats().usage().activeKeys())
            + " keys, "
            + Figures.bytes(overview.stats().usage().bytes()),
        Tone.ACCENT);
    int firing = overview.firing().size();
    sheet.pair(
        5,
        "Alerts",
        firing == 0 ? "none fires" : firing + " firing",
        firing == 0 ? Tone.GOOD : Tone.BAD);
  }

  private static void actions(Sheet sheet) {
    int x = sheet.text(1, 0, " f Force cleanup ", Tone.BUTTON_GOOD);
    sheet.text(x + 1, 0, " s Export ", Tone.BUTTON);
    x = sheet.text(1, 1, " ^R Reset stats ", Tone.BUTTON_BAD);
    sheet.text(x + 1, 1, " Enter Edit ", Tone.BUTTON);
  }
}

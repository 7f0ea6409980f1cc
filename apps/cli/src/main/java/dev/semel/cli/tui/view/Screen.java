package dev.semel.cli.tui.view;

import dev.semel.admin.HealthReport;
import dev.semel.alert.Alert;
import dev.semel.alert.AlertSeverity;
import dev.semel.cli.tui.ConnectionState;
import dev.semel.cli.tui.Panel;
import dev.semel.cli.tui.TuiModel;
import dev.semel.idempotency.ProtectionMode;
import dev.tamboui.buffer.Buffer;
import dev.tamboui.terminal.Frame;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

/** Draws a model: the same model and size always give the same frame. */
public final class Screen {
  static final int LEAST_WIDTH = 40;
  static final int LEAST_HEIGHT = 12;

  /** Rows around the list of a tab: header, tabs, border, headings, border, footer. */
  public static final int AROUND_TAB = 6;

  private static final int OUTBOX_ROWS = 11;
  private static final int LEAST_KEY_ROWS = 8;
  private static final DateTimeFormatter CLOCK =
      DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

  private Screen() {}

  public static void render(Frame frame, TuiModel model, Palette palette) {
    draw(frame.buffer(), model, palette);
  }

  private static void draw(Buffer buffer, TuiModel model, Palette palette) {
    Canvas all = new Canvas(buffer, buffer.area(), palette).blank();
    if (all.width() < LEAST_WIDTH || all.height() < LEAST_HEIGHT) {
      all.wrapped(
          0,
          0,
          "This terminal has %d×%d; %d×%d is the least."
              .formatted(all.width(), all.height(), LEAST_WIDTH, LEAST_HEIGHT),
          TextTone.WARN);
      return;
    }
    header(all.part(0, 0, all.width(), 1), model);
    Canvas body = all.part(0, 1, all.width(), all.height() - 2);
    if (model.wide()) {
      wide(body, model);
    } else {
      tabs(body.part(0, 0, body.width(), 1), model);
      panel(body.below(1), model, model.panel(), true);
    }
    footer(all.below(all.height() - 1), model);
    Overlays.draw(all, model);
  }

  private static void wide(Canvas body, TuiModel model) {
    int left = Math.clamp(body.width() * 28 / 100, 33, 46);
    int right = Math.clamp(body.width() * 29 / 100, 36, 48);
    int middle = body.width() - left - right;
    panel(body.part(0, 0, left, body.height()), model, Panel.STATS, false);
    Canvas centre = body.part(left, 0, middle, body.height());
    int outbox = centre.height() >= OUTBOX_ROWS + LEAST_KEY_ROWS ? outboxRows(centre, model) : 0;
    panel(
        centre.part(0, 0, middle, centre.height() - outbox),
        model,
        outbox == 0 && model.panel() == Panel.OUTBOX ? Panel.OUTBOX : Panel.KEYS,
        false);
    if (outbox > 0) {
      panel(centre.below(centre.height() - outbox), model, Panel.OUTBOX, false);
    }
    panel(body.part(left + middle, 0, right, body.height()), model, Panel.CONFIG, false);
  }

  private static int outboxRows(Canvas centre, TuiModel model) {
    boolean there = model.overview().map(each -> each.outbox().isPresent()).orElse(true);
    return there ? Math.max(9, Math.min(OUTBOX_ROWS + 3, centre.height() / 3)) : 5;
  }

  private static void panel(Canvas sheet, TuiModel model, Panel panel, boolean alone) {
    boolean focused = alone || model.panel() == panel;
    switch (panel) {
      case STATS -> StatsPanel.draw(sheet.box(StatsPanel.TITLE, focused), model);
      case KEYS -> {
        KeysPanel.draw(sheet.box(KeysPanel.title(model), focused), model);
        sheet.foot(KeysPanel.foot(model), TextTone.WARN);
      }
      case OUTBOX -> OutboxPanel.draw(sheet.box(OutboxPanel.TITLE, focused), model);
      case CONFIG -> ConfigPanel.draw(sheet.box(ConfigPanel.TITLE, focused), model);
    }
  }

  private static void tabs(Canvas sheet, TuiModel model) {
    int x = 1;
    for (Panel panel : Panel.values()) {
      String title = " " + panel.title() + " ";
      x =
          sheet.text(x, 0, title, panel == model.panel() ? TextTone.BUTTON_GOOD : TextTone.MUTED)
              + 1;
    }
  }

  private static void header(Canvas sheet, TuiModel model) {
    int x = sheet.text(1, 0, "◉ semel ", TextTone.GOOD);
    sheet.text(
        x, 0, model.wide() ? "Exactly-Once Control Center" : "Control Center", TextTone.STRONG);
    int end = sheet.width() - 1;
    end = ending(sheet, end, CLOCK.format(model.now()), TextTone.MUTED);
    if (model.overview().isPresent()) {
      end = alerts(sheet, end, model.overview().get().firing());
      if (model.wide()) {
        end = health(sheet, end, model.overview().get().health());
      }
    }
    end = link(sheet, end, model);
    if (model.wide()) {
      mode(sheet, end, model);
    }
  }

  /** Draws a text that ends there; returns where the next one may end. */
  private static int ending(Canvas sheet, int end, String text, TextTone tone) {
    sheet.right(end, 0, text, tone);
    return end - TerminalText.width(TerminalText.safe(text)) - 2;
  }

  private static int alerts(Canvas sheet, int end, List<Alert> firing) {
    if (firing.isEmpty()) {
      return end;
    }
    boolean critical =
        firing.stream().anyMatch(alert -> alert.rule().severity() == AlertSeverity.CRITICAL);
    String text = firing.size() == 1 ? "▲ 1 alert" : "▲ %d alerts".formatted(firing.size());
    return ending(sheet, end, text, critical ? TextTone.BAD : TextTone.WARN);
  }

  private static int health(Canvas sheet, int end, HealthReport health) {
    int next = end;
    for (HealthReport.Part part : health.parts().reversed()) {
      TextTone tone =
          switch (part.level()) {
            case OK -> TextTone.GOOD;
            case WARNING -> TextTone.WARN;
            case AWAY -> TextTone.BAD;
          };
      next = ending(sheet, next, "● " + part.name(), tone);
    }
    return next;
  }

  private static int link(Canvas sheet, int end, TuiModel model) {
    ConnectionState link = model.link();
    return switch (link.state()) {
      case CONNECTED -> model.wide() ? end : ending(sheet, end, "●", TextTone.GOOD);
      case CONNECTING -> ending(sheet, end, "○ connecting", TextTone.WARN);
      case AWAY ->
          ending(
              sheet,
              end,
              "✗ away for " + NumberFormats.ago(Duration.between(link.since(), model.now())),
              TextTone.BAD);
    };
  }

  /** Draws whether all operations are enforced. */
  private static void mode(Canvas sheet, int end, TuiModel model) {
    if (model.overview().isEmpty() || model.link().away()) {
      return;
    }
    boolean enforced =
        model.overview().get().queues().stream()
            .allMatch(queue -> queue.settings().settings().mode() == ProtectionMode.ENFORCE);
    sheet.right(
        end, 0, enforced ? "ENFORCE" : "MIXED MODES", enforced ? TextTone.GOOD : TextTone.WARN);
  }

  private static void footer(Canvas sheet, TuiModel model) {
    if (model.link().away()) {
      String text = "no answer, trying again: " + model.link().why();
      sheet.text(1, 0, text, TextTone.BAD);
      return;
    }
    if (model.notice().isPresent()) {
      sheet.text(1, 0, model.notice().get().text(), model.notice().get().tone());
      return;
    }
    List<String> keys =
        model.wide()
            ? List.of(
                "Tab panel",
                "↑↓ move",
                "Enter details",
                "/ filter",
                "k keys",
                "o outbox",
                "c config",
                "r refresh",
                "s export",
                "h help",
                "q quit")
            : List.of(
                "1-4 tabs", "↑↓ move", "Enter open", "/ filter", "r refresh", "h help", "q quit");
    int x = 1;
    for (String each : keys) {
      int blank = each.indexOf(' ');
      x = sheet.text(x, 0, each.substring(0, blank), TextTone.ACCENT);
      x = sheet.text(x, 0, each.substring(blank), TextTone.MUTED) + 2;
    }
  }
}

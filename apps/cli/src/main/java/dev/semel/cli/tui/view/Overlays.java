package dev.semel.cli.tui.view;

import dev.semel.cli.tui.OverlayDialog;
import dev.semel.cli.tui.SettingsForm;
import dev.semel.cli.tui.TuiModel;
import dev.semel.idempotency.OperationSetting;
import java.util.List;

/** Draws the dialogs that cover the panels. */
final class Overlays {
  private static final int HELP_WIDTH = 62;
  private static final int CONFIRM_WIDTH = 64;
  private static final int EDIT_WIDTH = 76;
  private static final int NAME = 15;

  /** A key, its action, and the place where it works. */
  private record Shortcut(String key, String does, String where) {}

  private static final List<Shortcut> SHORTCUTS =
      List.of(
          new Shortcut("Tab", "Switch panel", "any"),
          new Shortcut("1-4", "Go to a panel or tab", "any"),
          new Shortcut("k o c", "Keys, outbox, configuration", "any"),
          new Shortcut("↑↓ PgUp PgDn", "Move; Home, End: to either end", "lists"),
          new Shortcut("r", "Refresh", "any"),
          new Shortcut("s", "Export statistics to a file", "any"),
          new Shortcut("/", "Filter keys; Esc: as before", "keys"),
          new Shortcut("Enter", "Details of a key, with its life", "keys"),
          new Shortcut("d", "Delete the key (asks)", "details"),
          new Shortcut("Enter", "Edit an operation's settings", "config"),
          new Shortcut("f", "Force clean-up of ended keys", "config"),
          new Shortcut("Ctrl+R", "Reset all statistics (asks)", "config"),
          new Shortcut("h ?", "This help", "any"),
          new Shortcut("q Ctrl+C", "Quit", "any"));

  private Overlays() {}

  static void draw(Canvas screen, TuiModel model) {
    switch (model.dialog()) {
      case OverlayDialog.None d -> {}
      case OverlayDialog.Filtering d -> {}
      case OverlayDialog.Help d -> help(screen);
      case OverlayDialog.Details d -> DetailsOverlay.draw(screen, d, model.now());
      case OverlayDialog.Confirm d -> confirm(screen, d);
      case OverlayDialog.Editing d -> edit(screen, d.form());
    }
  }

  private static void help(Canvas screen) {
    screen.dim();
    Canvas sheet = screen.over("Keyboard", HELP_WIDTH, SHORTCUTS.size() + 3);
    for (int y = 0; y < SHORTCUTS.size(); y++) {
      Shortcut shortcut = SHORTCUTS.get(y);
      sheet.text(1, y, shortcut.key(), TextTone.ACCENT);
      sheet.text(NAME, y, shortcut.does(), TextTone.PLAIN);
      sheet.right(sheet.width() - 1, y, shortcut.where(), TextTone.MUTED);
    }
    sheet.text(1, Math.min(SHORTCUTS.size(), sheet.height() - 1), "Esc close", TextTone.MUTED);
  }

  private static void confirm(Canvas screen, OverlayDialog.Confirm dialog) {
    screen.dim();
    int inside = Math.min(CONFIRM_WIDTH, screen.width()) - 3;
    int lines =
        2
            + (TerminalText.width(TerminalText.safe(dialog.consequence()))
                / Math.max(1, inside - 8))
            + 1;
    Canvas sheet = screen.over("Are you sure?", CONFIRM_WIDTH, lines + 5);
    sheet.text(1, 0, TerminalText.middle(dialog.question(), sheet.width() - 2), TextTone.STRONG);
    int used = sheet.wrapped(1, 2, dialog.consequence(), TextTone.MUTED);
    int y = Math.min(3 + used, sheet.height() - 1);
    int x = sheet.text(1, y, " y Yes ", TextTone.BUTTON_BAD);
    sheet.text(x + 2, y, " n No ", TextTone.BUTTON);
  }

  private static void edit(Canvas screen, SettingsForm form) {
    screen.dim();
    int rows = SettingsForm.ROWS.size();
    Canvas sheet = screen.over("Settings of " + form.operation(), EDIT_WIDTH, rows + 6);
    int visible = Math.max(1, sheet.height() - 4);
    int top = Math.clamp(form.row() - visible / 2, 0, Math.max(0, rows - visible));
    for (int y = 0; y < visible && top + y < rows; y++) {
      OperationSetting setting = SettingsForm.ROWS.get(top + y);
      boolean here = top + y == form.row();
      boolean changed = form.changes().containsKey(setting);
      sheet.text(2, y, setting.text(), TextTone.PLAIN);
      String value = form.value(setting);
      String shown = value.isEmpty() && !here ? "as in its code" : value + (here ? "▏" : "");
      sheet.text(
          NAME + 2,
          y,
          shown,
          value.isEmpty() ? TextTone.MUTED : changed ? TextTone.WARN : TextTone.ACCENT);
      if (here) {
        sheet.mark(y, TextTone.CHOSEN);
        sheet.text(0, y, "▌", TextTone.FOCUS);
      }
    }
    int y = Math.min(visible, rows);
    boolean fine = form.problem().isEmpty();
    sheet.wrapped(
        1,
        y + 1,
        fine ? form.setting().help() : form.problem(),
        fine ? TextTone.MUTED : TextTone.BAD);
    String keys = form.saving() ? "saving …" : "Enter save   ←→ choices   type a value   Esc leave";
    sheet.text(1, sheet.height() - 1, keys, TextTone.MUTED);
  }
}

package dev.semel.cli.tui.view;

import dev.semel.cli.tui.TuiModel;

/** Draws a panel before anything was read. */
final class LoadingPanel {
  private LoadingPanel() {}

  static void draw(Canvas sheet, TuiModel model) {
    if (model.link().away()) {
      sheet.text(1, 1, "It does not answer.", TextTone.BAD);
      sheet.wrapped(1, 2, model.link().why(), TextTone.MUTED);
    } else {
      sheet.text(1, 1, "reading …", TextTone.MUTED);
    }
  }
}

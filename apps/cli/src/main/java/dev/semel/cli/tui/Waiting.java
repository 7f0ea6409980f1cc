package dev.semel.cli.tui;

/** A panel before anything was read. */
final class Waiting {
  private Waiting() {}

  static void draw(Sheet sheet, Model model) {
    if (model.link().away()) {
      sheet.text(1, 1, "It does not answer.", Tone.BAD);
      sheet.wrapped(1, 2, model.link().why(), Tone.MUTED);
    } else {
      sheet.text(1, 1, "reading …", Tone.MUTED);
    }
  }
}

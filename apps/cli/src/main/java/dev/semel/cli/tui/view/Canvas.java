package dev.semel.cli.tui.view;

import dev.tamboui.buffer.Buffer;
import dev.tamboui.layout.Rect;
import dev.tamboui.style.Style;
import dev.tamboui.widgets.Clear;
import dev.tamboui.widgets.block.Block;
import dev.tamboui.widgets.block.BorderType;
import dev.tamboui.widgets.block.Borders;
import java.util.ArrayList;
import java.util.List;

/**
 * A part of the screen to draw on. Nothing is drawn outside of it, and all text goes through {@link
 * TerminalText} first. For one thread.
 */
final class Canvas {
  private final Buffer buffer;
  private final Rect area;
  private final Palette palette;

  Canvas(Buffer buffer, Rect area, Palette palette) {
    this.buffer = buffer;
    this.area = buffer.area().intersection(area);
    this.palette = palette;
  }

  int width() {
    return area.width();
  }

  int height() {
    return area.height();
  }

  /** A part of this canvas, cut to its area. */
  Canvas part(int x, int y, int width, int height) {
    if (width <= 0 || height <= 0 || x >= width() || y >= height()) {
      return new Canvas(buffer, Rect.ZERO, palette);
    }
    Rect wanted = new Rect(area.x() + Math.max(0, x), area.y() + Math.max(0, y), width, height);
    return new Canvas(buffer, area.intersection(wanted), palette);
  }

  /** The part from this row on. */
  Canvas below(int y) {
    return part(0, y, width(), height() - y);
  }

  /** Clears it to the palette's background. */
  Canvas blank() {
    Clear.INSTANCE.render(area, buffer);
    buffer.setStyle(area, palette.ground());
    return this;
  }

  /** Dims what is drawn already. */
  void dim() {
    buffer.setStyle(area, Style.EMPTY.dim());
  }

  /**
   * Draws a text from left to right; returns the column after it.
   *
   * @param x may be right of the canvas: then nothing is drawn
   */
  int text(int x, int y, String text, TextTone tone) {
    int room = width() - x;
    if (room <= 0 || y < 0 || y >= height() || x < 0) {
      return x;
    }
    String cut = TerminalText.cut(text, room);
    buffer.setString(area.x() + x, area.y() + y, cut, palette.of(tone));
    return x + TerminalText.width(cut);
  }

  /** Draws a text that ends at a column. */
  void right(int end, int y, String text, TextTone tone) {
    String cut = TerminalText.cut(text, Math.min(end, width()));
    text(Math.min(end, width()) - TerminalText.width(cut), y, cut, tone);
  }

  /** Draws a name and its value, at both ends of a line. */
  void pair(int y, String name, String value, TextTone tone) {
    int room =
        Math.max(
            0,
            width() - 2 - Math.min(TerminalText.width(TerminalText.safe(value)), width() / 2) - 1);
    text(1, y, TerminalText.cut(name, room), TextTone.PLAIN);
    int most = width() - 2 - Math.min(TerminalText.width(TerminalText.safe(name)), room) - 1;
    right(width() - 1, y, TerminalText.cut(value, Math.max(0, most)), tone);
  }

  /** Draws words, wrapped at the canvas's width; returns the number of lines. */
  int wrapped(int x, int y, String text, TextTone tone) {
    List<String> lines = wrap(TerminalText.safe(text), width() - x - 1);
    for (int i = 0; i < lines.size(); i++) {
      text(x, y + i, lines.get(i), tone);
    }
    return lines.size();
  }

  private static List<String> wrap(String text, int columns) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : text.split(" ", -1)) {
      if (!line.isEmpty() && TerminalText.width(line + " " + word) > columns) {
        lines.add(line.toString());
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : " ").append(word);
    }
    lines.add(line.toString());
    return lines;
  }

  /** Changes the style of a row, and keeps its text. */
  void mark(int y, TextTone tone) {
    if (y >= 0 && y < height()) {
      buffer.setStyle(new Rect(area.x(), area.y() + y, width(), 1), palette.of(tone));
    }
  }

  /** Draws a line across with a title in it. */
  void rule(int y, String title, TextTone tone) {
    text(0, y, "─".repeat(width()), TextTone.BORDER);
    text(2, y, " " + title + " ", tone);
  }

  /** Draws a border with a title; returns the canvas inside. */
  Canvas box(String title, boolean focused) {
    if (width() < 2 || height() < 2) {
      return part(0, 0, 0, 0);
    }
    TextTone line = focused ? TextTone.FOCUS : TextTone.BORDER;
    Block.builder()
        .borders(Borders.ALL)
        .borderType(BorderType.ROUNDED)
        .borderStyle(palette.of(line))
        .build()
        .render(area, buffer);
    part(2, 0, width() - 4, 1)
        .text(0, 0, " " + title + " ", focused ? TextTone.FOCUS : TextTone.STRONG);
    return part(1, 1, width() - 2, height() - 2);
  }

  /** Draws a text into the lower border of a box. */
  void foot(String text, TextTone tone) {
    if (!text.isEmpty()) {
      part(2, height() - 1, width() - 4, 1).text(0, 0, " " + text + " ", tone);
    }
  }

  /** A blank canvas with a border, in the middle of this one. */
  Canvas over(String title, int wide, int high) {
    int columns = Math.min(width(), wide);
    int rows = Math.min(height(), high);
    return part((width() - columns) / 2, (height() - rows) / 2, columns, rows)
        .blank()
        .box(title, true);
  }
}

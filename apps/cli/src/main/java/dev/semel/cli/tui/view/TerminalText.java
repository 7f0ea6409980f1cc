package dev.semel.cli.tui.view;

import dev.semel.internal.PrintableText;
import dev.tamboui.text.CharWidth;
import java.text.Normalizer;
import java.util.Locale;

/**
 * Makes text from outside safe for a terminal: without control sequences, and without characters
 * that terminals draw in different widths, so that columns stay in place. It writes them as
 * escapes, so that no two texts look alike.
 */
public final class TerminalText {
  static final String CUT = "…";

  /** Limit of marks on one letter; further ones are written as escapes. */
  private static final int MAX_MARKS = 2;

  private static final int FIRST_REGIONAL = 0x1F1E6;
  private static final int LAST_REGIONAL = 0x1F1FF;
  private static final int FIRST_JOINING_JAMO = 0x1160;
  private static final int LAST_JOINING_JAMO = 0x11FF;
  private static final int FIRST_SELECTOR = 0xFE00;
  private static final int LAST_SELECTOR = 0xFE0F;

  private TerminalText() {}

  static String safe(String text) {
    if (isAscii(text)) {
      return text;
    }
    StringBuilder out = new StringBuilder(text.length() + 16);
    int marks = MAX_MARKS; // a mark at the start would join the text before
    String composed = Normalizer.normalize(text, Normalizer.Form.NFC);
    for (int i = 0; i < composed.length(); ) {
      int c = composed.codePointAt(i);
      i += Character.charCount(c);
      boolean mark = CharWidth.of(c) == 0;
      if (!drawnAlike(c) || (mark && marks >= MAX_MARKS)) {
        out.append(String.format(Locale.ROOT, "\\u%04x", c));
        marks = MAX_MARKS;
      } else {
        out.appendCodePoint(c);
        marks = mark ? marks + 1 : 0;
      }
    }
    return out.toString();
  }

  private static boolean isAscii(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) < ' ' || text.charAt(i) > '~') {
        return false;
      }
    }
    return true;
  }

  /** Whether all terminals, and our library, draw it in the same width. */
  private static boolean drawnAlike(int c) {
    int type = Character.getType(c);
    return !PrintableText.unsafe(c)
        && type != Character.UNASSIGNED
        && type != Character.PRIVATE_USE
        && !within(c, FIRST_REGIONAL, LAST_REGIONAL)
        && !within(c, FIRST_JOINING_JAMO, LAST_JOINING_JAMO)
        && !within(c, FIRST_SELECTOR, LAST_SELECTOR)
        && (!Character.isEmojiPresentation(c) || CharWidth.of(c) == 2);
  }

  private static boolean within(int c, int first, int last) {
    return c >= first && c <= last;
  }

  /** Columns of a text that is {@link #safe}. */
  public static int width(String text) {
    return text.codePoints().map(CharWidth::of).sum();
  }

  /** The text's beginning, in at most this many columns. */
  static String cut(String text, int columns) {
    String safe = safe(text);
    if (width(safe) <= columns) {
      return safe;
    }
    return columns < 1 ? "" : head(safe, columns - 1) + CUT;
  }

  /** The text's beginning and end, because ids often differ in one of them only. */
  static String middle(String text, int columns) {
    String safe = safe(text);
    if (width(safe) <= columns) {
      return safe;
    }
    if (columns < 1) {
      return "";
    }
    int tail = (columns - 1) / 3;
    return head(safe, columns - 1 - tail) + CUT + tail(safe, tail);
  }

  private static String head(String safe, int columns) {
    int used = 0;
    int i = 0;
    while (i < safe.length()) {
      int c = safe.codePointAt(i);
      if (used + CharWidth.of(c) > columns) {
        break;
      }
      used += CharWidth.of(c);
      i += Character.charCount(c);
    }
    return safe.substring(0, i);
  }

  private static String tail(String safe, int columns) {
    int used = 0;
    int i = safe.length();
    int begin = i;
    while (i > 0) {
      int c = safe.codePointBefore(i);
      int width = CharWidth.of(c);
      if (used + width > columns) {
        break;
      }
      used += width;
      i -= Character.charCount(c);
      // A mark belongs to the letter before it.
      begin = width == 0 ? begin : i;
    }
    return safe.substring(begin);
  }
}

package dev.semel.internal;

import java.util.Locale;

/** Makes text from outside safe to print: no control or direction-changing character survives. */
public final class PrintableText {
  private static final int QUOTE_LIMIT = 80;

  private PrintableText() {}

  /** The text with each unsafe character written as an escape such as {@code \u001b}. */
  public static String safe(String text) {
    if (isSafe(text)) {
      return text;
    }
    StringBuilder out = new StringBuilder(text.length() + 16);
    text.codePoints()
        .forEach(
            c -> {
              if (unsafe(c)) {
                out.append("\\u%04x".formatted(c));
              } else {
                out.appendCodePoint(c);
              }
            });
    return out.toString();
  }

  /** A constant as people write it: {@code run-again}. */
  public static String word(Enum<?> choice) {
    return choice.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Whether {@link #safe} would leave the text as it is. */
  public static boolean isSafe(String text) {
    for (int i = 0; i < text.length(); ) {
      int codePoint = text.codePointAt(i);
      if ((codePoint < ' ' || codePoint > '~') && unsafe(codePoint)) {
        return false;
      }
      i += Character.charCount(codePoint);
    }
    return true;
  }

  /** The number of bytes of the text in UTF-8. */
  public static int utf8Length(String text) {
    int bytes = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      // Each half of a surrogate pair counts for two of its four bytes.
      bytes += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
    }
    return bytes;
  }

  /** Safe text in quotation marks, cut if it is long. */
  public static String quoted(String text) {
    String cut =
        text.length() <= QUOTE_LIMIT
            ? text
            : text.substring(0, QUOTE_LIMIT) + "… (" + text.length() + " characters)";
    return "\"" + safe(cut) + "\"";
  }

  /**
   * Controls act on terminals, direction and line separators make one key look like another, and a
   * lone surrogate has no UTF-8 form.
   */
  public static boolean unsafe(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE ->
          true;
      default -> false;
    };
  }
}

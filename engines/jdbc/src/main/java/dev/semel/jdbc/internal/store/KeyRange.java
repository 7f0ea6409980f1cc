package dev.semel.jdbc.internal.store;

import dev.semel.internal.PrintableText;

/**
 * The keys that start with a prefix, as a range in the order of their bytes in UTF-8, which is the
 * order of their code points. No character of a prefix means anything but itself.
 */
public final class KeyRange {
  /** After every key: the last code point is not a character, so no key begins with it. */
  private static final String END = Character.toString(Character.MAX_CODE_POINT);

  /** Before every key: a tenant's name begins with no such sign. */
  private static final String START = "!";

  private KeyRange() {}

  /** A key holds no control characters, so nothing can start with, or follow, a text that does. */
  public static boolean canMatch(String text) {
    return PrintableText.safe(text).equals(text);
  }

  /** Where to begin; never empty, because some sessions take empty text for none at all. */
  static String start(String text) {
    return text.isEmpty() ? START : text;
  }

  /** The first text after all that start with the prefix. */
  public static String end(String prefix) {
    int length = prefix.length();
    while (length > 0) {
      int last = prefix.codePointBefore(length);
      length -= Character.charCount(last);
      if (last < Character.MAX_CODE_POINT) {
        return prefix.substring(0, length) + Character.toString(next(last));
      }
    }
    return END;
  }

  /** Surrogates are no characters of their own and have no place in the order. */
  private static int next(int codePoint) {
    int next = codePoint + 1;
    return next == Character.MIN_SURROGATE ? Character.MAX_SURROGATE + 1 : next;
  }
}

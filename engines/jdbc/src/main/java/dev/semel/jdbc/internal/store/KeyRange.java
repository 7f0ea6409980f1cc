package dev.semel.jdbc.internal.store;

import dev.semel.internal.PrintableText;

/**
 * The keys with a given prefix, as a range in UTF-8 byte order, which is code point order. Prefixes
 * have no wildcards.
 */
public final class KeyRange {
  /** Sorts after every key: no key begins with this noncharacter. */
  private static final String END = Character.toString(Character.MAX_CODE_POINT);

  /** Sorts before every key: no tenant's name begins with this character. */
  private static final String START = "!";

  private KeyRange() {}

  /**
   * Whether a key can match. Keys hold no control characters, so none can match a text with one.
   */
  public static boolean canMatch(String text) {
    return PrintableText.safe(text).equals(text);
  }

  /** The range's start; never empty, because some sessions turn empty text into null. */
  static String start(String text) {
    return text.isEmpty() ? START : text;
  }

  /** The first text after everything with the prefix. */
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

  /** The next code point; skips surrogates, which are not characters. */
  private static int next(int codePoint) {
    int next = codePoint + 1;
    return next == Character.MIN_SURROGATE ? Character.MAX_SURROGATE + 1 : next;
  }
}

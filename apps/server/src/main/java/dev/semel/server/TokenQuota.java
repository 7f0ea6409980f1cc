package dev.semel.server;

import dev.semel.InvalidInput;
import dev.semel.internal.PrintableText;
import java.util.Locale;

/**
 * Limits on what a token may use.
 *
 * @param connections open at a time; 0: any number
 * @param bytes stored in the streams to which the token may append; 0: any number
 */
record TokenQuota(int connections, long bytes) {
  static final TokenQuota NONE = new TokenQuota(0, 0);

  private static final String CONNECTIONS = "connections=";
  private static final String BYTES = "bytes=";
  private static final String UNITS = "kmgt";

  /** Whether this word of a line is a quota. */
  static boolean names(String word) {
    return word.startsWith(CONNECTIONS) || word.startsWith(BYTES);
  }

  /**
   * Returns this quota with the limit of a word such as {@code connections=10} or {@code bytes=5g}.
   */
  TokenQuota with(String word) {
    if (word.startsWith(CONNECTIONS)) {
      long count = number(word, word.substring(CONNECTIONS.length()));
      if (count > Integer.MAX_VALUE) {
        throw wrong(word);
      }
      return new TokenQuota((int) count, bytes);
    }
    return new TokenQuota(connections, number(word, word.substring(BYTES.length())));
  }

  /** Combines two quotas: if both limit the same thing, the smaller limit applies. */
  TokenQuota and(TokenQuota other) {
    return new TokenQuota(
        (int) smaller(connections, other.connections), smaller(bytes, other.bytes));
  }

  private static long smaller(long one, long other) {
    return one == 0 ? other : other == 0 ? one : Math.min(one, other);
  }

  /** Units are powers of 1024. */
  private static long number(String word, String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    int unit = lower.isEmpty() ? -1 : UNITS.indexOf(lower.charAt(lower.length() - 1));
    String digits = unit < 0 ? lower : lower.substring(0, lower.length() - 1);
    if (digits.isEmpty()
        || digits.length() > 15
        || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
      throw wrong(word);
    }
    long value;
    try {
      value = Math.multiplyExact(Long.parseLong(digits), 1L << (10 * (unit + 1)));
    } catch (ArithmeticException e) {
      throw wrong(word);
    }
    if (value < 1) {
      throw wrong(word);
    }
    return value;
  }

  private static InvalidInput wrong(String word) {
    return new InvalidInput(
        "%s is no quota: write it like connections=100 or bytes=5g"
            .formatted(PrintableText.quoted(word)));
  }
}

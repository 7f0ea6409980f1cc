package dev.semel.stream.internal;

import dev.semel.InvalidInput;
import dev.semel.internal.PrintableText;

/** Parses numbers in headers: digits only, so that all readers see the same number. */
public final class HeaderDigits {
  /** The largest whole number that every client's JSON and doubles can hold: 2^53 - 1. */
  public static final long MAX = (1L << 53) - 1;

  private static final int MAX_LENGTH = 16;

  private HeaderDigits() {}

  public static long parse(String what, String text) {
    boolean digits = !text.isEmpty() && text.length() <= MAX_LENGTH;
    for (int i = 0; digits && i < text.length(); i++) {
      digits = text.charAt(i) >= '0' && text.charAt(i) <= '9';
    }
    return check(what, digits ? Long.parseLong(text) : -1, text);
  }

  /** Parses a number without leading zeros: 007 is refused. */
  public static long parseCanonical(String what, String text) {
    return text.length() > 1 && text.charAt(0) == '0' ? check(what, -1, text) : parse(what, text);
  }

  public static long check(String what, long value) {
    return check(what, value, Long.toString(value));
  }

  private static long check(String what, long value, String text) {
    if (value < 0 || value > MAX) {
      throw new InvalidInput(
          "%s %s is not valid: use digits only, from 0 to %d"
              .formatted(what, PrintableText.quoted(text), MAX));
    }
    return value;
  }
}

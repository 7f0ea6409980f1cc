package dev.semel.cli;

import dev.semel.InvalidInput;
import dev.semel.internal.PrintableText;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Amounts of bytes as people write and read them: {@code 64KiB}, {@code 1MiB}. */
public final class ByteSizes {
  private static final Pattern TEXT =
      Pattern.compile("(\\d{1,10})\\s*(?:B|(K|M|G)(?:iB)?)?", Pattern.CASE_INSENSITIVE);
  private static final long KIB = 1L << 10;
  private static final long MIB = 1L << 20;
  private static final long GIB = 1L << 30;

  private ByteSizes() {}

  /**
   * Parses a size up to a limit.
   *
   * @param what names the value in the message, such as {@code --max-output}
   */
  public static int parse(String what, String text, int limit) {
    long bytes = parse(what, text);
    if (bytes > limit) {
      throw new InvalidInput("%s can be at most %s".formatted(what, text(limit)));
    }
    return (int) bytes;
  }

  /** Parses a size without a limit. */
  public static long parse(String what, String text) {
    Matcher m = TEXT.matcher(text);
    if (!m.matches()) {
      throw new InvalidInput(
          "%s %s is not a size: write it like 4096, 64KiB or 1MiB"
              .formatted(what, PrintableText.quoted(text)));
    }
    String unit = m.group(2) == null ? "" : m.group(2).toUpperCase(Locale.ROOT);
    long factor =
        switch (unit) {
          case "K" -> KIB;
          case "M" -> MIB;
          case "G" -> GIB;
          default -> 1;
        };
    return Long.parseLong(m.group(1)) * factor;
  }

  public static String text(long bytes) {
    if (bytes < KIB) {
      return bytes + " B";
    }
    double value = bytes;
    String[] units = {"KiB", "MiB", "GiB", "TiB"};
    int unit = -1;
    while (value >= KIB && unit < units.length - 1) {
      value /= KIB;
      unit++;
    }
    String digits = value >= 100 || value == Math.rint(value) ? "%.0f %s" : "%.1f %s";
    return String.format(Locale.ROOT, digits, value, units[unit]);
  }
}

package dev.semel.cli.tui.view;

import dev.semel.internal.DurationText;
import java.time.Duration;
import java.util.Locale;

/** Formats numbers for people. */
final class NumberFormats {
  private static final int KIB = 1024;

  private NumberFormats() {}

  static String count(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f%%", share * 100);
  }

  static String bytes(long bytes) {
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
    return String.format(Locale.ROOT, value >= 100 ? "%.0f %s" : "%.1f %s", value, units[unit]);
  }

  static String time(Duration duration) {
    return duration.isNegative() ? "0s" : DurationText.brief(duration);
  }

  /** How long ago, in one unit. */
  static String ago(Duration duration) {
    long seconds = Math.max(0, duration.toSeconds());
    if (seconds < 100) {
      return seconds + "s";
    }
    long minutes = duration.toMinutes();
    return minutes < 100
        ? minutes + "m"
        : duration.toHours() < 48 ? duration.toHours() + "h" : duration.toDays() + "d";
  }

  static String millis(Duration duration) {
    double millis = duration.toNanos() / 1e6;
    return String.format(Locale.ROOT, millis < 10 ? "%.1f ms" : "%.0f ms", millis);
  }
}

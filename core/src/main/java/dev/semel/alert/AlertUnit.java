package dev.semel.alert;

import dev.semel.InvalidInput;
import dev.semel.internal.DurationText;
import dev.semel.internal.PrintableText;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Pattern;

/** The unit of a rule's values, and how people write them. */
public enum AlertUnit {
  /** From 0 to 100. */
  PERCENT,
  SECONDS,
  COUNT;

  private static final Pattern SHARE = Pattern.compile("(\\d{1,3}(?:\\.\\d{1,6})?)\\s?%?");
  private static final Pattern WHOLE = Pattern.compile("\\d{1,15}");
  private static final String NOTHING = "0s";
  private static final double ALL = 100;
  private static final double MILLIS = 1000;

  /** Reads {@code 5%}, {@code 10m} or {@code 1000}. */
  double parse(String text) {
    return switch (this) {
      case PERCENT -> percent(text);
      case SECONDS -> seconds(time(text));
      case COUNT -> count(text);
    };
  }

  private static double percent(String text) {
    var share = SHARE.matcher(text);
    if (share.matches()) {
      double value = Double.parseDouble(share.group(1));
      if (value <= ALL) {
        return value;
      }
    }
    throw new InvalidInput(
        "%s is no share: write one from 0%% to 100%%, such as 2.5%%"
            .formatted(PrintableText.quoted(text)));
  }

  private static double count(String text) {
    if (WHOLE.matcher(text).matches()) {
      return Long.parseLong(text);
    }
    throw new InvalidInput(
        "%s is no number: write a whole one, such as 1000".formatted(PrintableText.quoted(text)));
  }

  /** Here, {@code 0s} is a time too. */
  static Duration time(String text) {
    return text.equals(NOTHING) ? Duration.ZERO : DurationText.parse(text);
  }

  public static double seconds(Duration time) {
    return time.toMillis() / MILLIS;
  }

  /** In the form that {@link #parse} reads. */
  public String format(double value) {
    return switch (this) {
      case PERCENT -> number(value) + "%";
      case SECONDS -> DurationText.format(Duration.ofMillis(Math.round(value * MILLIS)));
      case COUNT -> Long.toString(Math.round(value));
    };
  }

  /** For people, the same in every language, with few digits. */
  public String brief(double value) {
    return switch (this) {
      case PERCENT -> String.format(Locale.ROOT, "%.1f %%", value).replace(".0 %", " %");
      case SECONDS -> DurationText.brief(Duration.ofMillis(Math.round(value * MILLIS)));
      case COUNT -> String.format(Locale.ROOT, "%,d", Math.round(value));
    };
  }

  private static String number(double value) {
    return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
  }
}

package dev.semel.job;

import dev.semel.InvalidInput;
import dev.semel.internal.PrintableText;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;

/** One field of a cron expression: its name, and the values that it allows. */
enum CronField {
  MINUTE("minute", 0, 59, ""),
  HOUR("hour", 0, 23, ""),
  DAY_OF_MONTH("day of month", 1, 31, ""),
  MONTH("month", 1, 12, "JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC"),
  DAY_OF_WEEK("day of week", 0, 7, "SUN MON TUE WED THU FRI SAT");

  private static final int SUNDAY_AGAIN = 7;

  private final String title;
  private final int first;
  private final int last;
  private final String names;

  CronField(String title, int first, int last, String names) {
    this.title = title;
    this.first = first;
    this.last = last;
    this.names = names;
  }

  /** The values that the text allows; Sunday is 0. */
  BitSet read(String text) {
    BitSet values = new BitSet();
    for (String part : text.split(",", -1)) {
      readPart(text, part, values);
    }
    if (this == DAY_OF_WEEK && values.get(SUNDAY_AGAIN)) {
      values.clear(SUNDAY_AGAIN);
      values.set(0);
    }
    return values;
  }

  private void readPart(String text, String part, BitSet values) {
    int slash = part.indexOf('/');
    String range = slash < 0 ? part : part.substring(0, slash);
    int step = slash < 0 ? 1 : number(text, part.substring(slash + 1));
    int dash = range.indexOf('-');
    int from;
    int to;
    if (range.equals("*")) {
      from = first;
      to = this == DAY_OF_WEEK ? last - 1 : last; // Sunday once, else a step would count it twice
    } else if (dash >= 0) {
      from = value(text, range.substring(0, dash));
      to = value(text, range.substring(dash + 1));
      if (this == DAY_OF_WEEK && to == 0) {
        to = SUNDAY_AGAIN; // a week that begins on Monday ends on Sunday
      }
    } else {
      from = value(text, range);
      to = slash < 0 ? from : last;
    }
    if (step < 1 || from > to) {
      throw refused(text);
    }
    for (int value = from; value <= to; value += step) {
      values.set(value);
    }
  }

  private int value(String text, String written) {
    int named = names.isEmpty() ? -1 : List.of(names.split(" ", -1)).indexOf(upper(written));
    int value = named >= 0 ? named + (this == MONTH ? 1 : 0) : number(text, written);
    if (value < first || value > last) {
      throw refused(text);
    }
    return value;
  }

  private static String upper(String text) {
    return text.toUpperCase(Locale.ROOT);
  }

  private int number(String text, String digits) {
    if (!digits.matches("[0-9]{1,4}")) {
      throw refused(text);
    }
    return Integer.parseInt(digits);
  }

  private InvalidInput refused(String text) {
    String named =
        names.isEmpty()
            ? ""
            : this == MONTH ? " or JAN to DEC" : " or MON to SUN (0 and 7 are Sunday)";
    return new InvalidInput(
        "the %s %s of a cron expression is not valid: allowed are %d to %d%s, as *, a value, a range such as %d-%d, a step such as */2, or a list of those with commas"
            .formatted(
                title, PrintableText.quoted(text), first, last, named, first + 1, first + 4));
  }
}

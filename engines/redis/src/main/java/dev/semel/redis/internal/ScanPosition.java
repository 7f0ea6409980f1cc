package dev.semel.redis.internal;

import dev.semel.InvalidInput;
import dev.semel.internal.PrintableText;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a listing goes on: Redis's own cursor, and when a page could not hold all that one scan
 * gave, how far that scan was shown.
 *
 * <p>Redis can only be asked for the whole scan again. If its answer then leads to the same next
 * cursor, it covers what it covered before, and everything up to {@code shown} can be left out; if
 * it does not, the table has been resized in between, and leaving out could lose keys: then they
 * are shown again.
 *
 * @param scan the cursor to scan from
 * @param next the cursor that the scan led to when a part of it was shown; empty for a new one
 * @param shown the last key's text of that part
 */
record ScanPosition(String scan, String next, String shown) {
  private static final Pattern TEXT =
      Pattern.compile("(\\d{1,20})(?:,(\\d{1,20}),(.+))?", Pattern.DOTALL);

  static ScanPosition parse(String cursor) {
    if (cursor.isEmpty()) {
      return new ScanPosition("0", "", "");
    }
    Matcher m = TEXT.matcher(cursor);
    if (!m.matches()) {
      throw new InvalidInput(
          "%s is not a cursor of this store: use the one that the page before came with"
              .formatted(PrintableText.quoted(cursor)));
    }
    return m.group(2) == null
        ? new ScanPosition(m.group(1), "", "")
        : new ScanPosition(m.group(1), m.group(2), m.group(3));
  }

  String text() {
    return next.isEmpty() ? scan : scan + "," + next + "," + shown;
  }

  /** The key's text that this scan's part starts after; empty for all of it. */
  String after(String cursorNow) {
    return cursorNow.equals(next) ? shown : "";
  }
}

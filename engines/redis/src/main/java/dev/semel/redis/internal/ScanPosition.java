package dev.semel.redis.internal;

import dev.semel.InvalidInput;
import dev.semel.internal.PrintableText;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The position of a listing: Redis's cursor, and how far one scan's result was listed when it did
 * not fit on a page.
 *
 * <p>Redis can only repeat the whole scan. If that leads to the same next cursor, it covers the
 * same keys, and those up to {@code shown} are skipped. Otherwise the table was resized meanwhile
 * and skipping could lose keys, so they are listed again.
 *
 * @param scan the cursor to scan from
 * @param next the cursor that the partly listed scan led to; empty for a new scan
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

  /** The key's text after which this part starts; empty: at the beginning. */
  String after(String cursorNow) {
    return cursorNow.equals(next) ? shown : "";
  }
}

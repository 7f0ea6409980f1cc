package dev.semel.redis.internal;

import dev.semel.InvalidInput;
import dev.semel.internal.PrintableText;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The position of a listing on a cluster. Nodes come and go and slots move, so the position is kept
 * by slot: a slot is done when a node served it, with all its keys, from the beginning of the
 * node's scan to its end.
 *
 * @param done the slots that were listed
 * @param node the node being scanned; empty: choose the next one
 * @param covered the slots that this scan covers if it ends as planned
 */
record ClusterCursor(SlotSet done, String node, SlotSet covered, ScanPosition position) {
  private static final Pattern TEXT =
      Pattern.compile("s([0-9,-]*)(?:;([0-9a-f]{1,40});([0-9,-]*);(\\d.*))?", Pattern.DOTALL);

  static ClusterCursor parse(String text) {
    if (text.isEmpty()) {
      return between(SlotSet.NONE);
    }
    Matcher m = TEXT.matcher(text);
    if (!m.matches()) {
      throw new InvalidInput(
          "%s is not a cursor of this store: use the one that the page before came with"
              .formatted(PrintableText.quoted(text)));
    }
    SlotSet done = SlotSet.parse(m.group(1));
    return m.group(2) == null
        ? between(done)
        : new ClusterCursor(
            done, m.group(2), SlotSet.parse(m.group(3)), ScanPosition.parse(m.group(4)));
  }

  /** Between two nodes' scans, or before the first. */
  static ClusterCursor between(SlotSet done) {
    return new ClusterCursor(done, "", SlotSet.NONE, ScanPosition.parse(""));
  }

  String text() {
    // Never empty, because an empty cursor means that the listing is complete.
    String slots = "s" + done.text();
    return node.isEmpty() ? slots : String.join(";", slots, node, covered.text(), position.text());
  }
}

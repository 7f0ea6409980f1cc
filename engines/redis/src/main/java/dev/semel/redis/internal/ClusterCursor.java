package dev.semel.redis.internal;

import dev.semel.InvalidInput;
import dev.semel.internal.PrintableText;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a listing of a cluster goes on. Nodes come and go and slots move between them, so what has
 * been listed is known by slot: it ends when every slot was scanned on a node that served it, with
 * all its keys, from the beginning of that node's scan to its end.
 *
 * @param done the slots that were listed
 * @param node the one being scanned; empty when the next is to be chosen
 * @param covered the slots that its scan has shown so far and will have shown when it ends
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

  /** At the end of a node's scan, or before the first. */
  static ClusterCursor between(SlotSet done) {
    return new ClusterCursor(done, "", SlotSet.NONE, ScanPosition.parse(""));
  }

  String text() {
    // Never empty, even when nothing is done: an empty cursor would say that all is.
    String slots = "s" + done.text();
    return node.isEmpty() ? slots : String.join(";", slots, node, covered.text(), position.text());
  }
}

package dev.semel.testservices;

import java.util.Arrays;
import java.util.BitSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The slots of a node, from its answer to CLUSTER NODES. */
record SlotRanges(BitSet slots) {
  private static final Pattern RANGE = Pattern.compile("(\\d+)(?:-(\\d+))?");
  private static final int FIRST_RANGE = 8;

  /** Reads only the node's own line, because its view of other nodes may be outdated. */
  static SlotRanges ofNode(String clusterNodes) {
    String own =
        clusterNodes.lines().filter(line -> line.contains("myself")).findFirst().orElseThrow();
    BitSet slots = new BitSet();
    Arrays.stream(own.split(" ", -1))
        .skip(FIRST_RANGE)
        .map(RANGE::matcher)
        .filter(Matcher::matches) // moving slots are in brackets
        .forEach(m -> set(slots, m));
    return new SlotRanges(slots);
  }

  private static void set(BitSet slots, Matcher m) {
    int first = Integer.parseInt(m.group(1));
    slots.set(first, m.group(2) == null ? first + 1 : Integer.parseInt(m.group(2)) + 1);
  }

  boolean contains(int slot) {
    return slots.get(slot);
  }
}

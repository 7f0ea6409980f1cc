package dev.semel.redis.internal;

import dev.semel.InvalidInput;
import io.lettuce.core.cluster.SlotHash;
import java.util.BitSet;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An immutable set of cluster slots. Its text form is {@code 0-5460,5462}. */
record SlotSet(BitSet slots) {
  static final SlotSet NONE = new SlotSet(new BitSet());

  private static final Pattern RANGE = Pattern.compile("(\\d{1,5})(?:-(\\d{1,5}))?");

  static SlotSet parse(String text) {
    BitSet slots = new BitSet();
    for (String range : text.isEmpty() ? new String[0] : text.split(",", -1)) {
      Matcher m = RANGE.matcher(range);
      int first = m.matches() ? Integer.parseInt(m.group(1)) : -1;
      int last = first < 0 || m.group(2) == null ? first : Integer.parseInt(m.group(2));
      if (first < 0 || last < first || last >= SlotHash.SLOT_COUNT) {
        throw new InvalidInput("no slots of a Redis Cluster: write them as 0-5460,5462");
      }
      slots.set(first, last + 1);
    }
    return new SlotSet(slots);
  }

  String text() {
    StringJoiner text = new StringJoiner(",");
    for (int first = slots.nextSetBit(0); first >= 0; ) {
      int last = slots.nextClearBit(first) - 1;
      text.add(first == last ? Integer.toString(first) : first + "-" + last);
      first = slots.nextSetBit(last + 1);
    }
    return text.toString();
  }

  boolean contains(byte[] name) {
    return slots.get(SlotHash.getSlot(name));
  }

  boolean isEmpty() {
    return slots.isEmpty();
  }

  boolean isAll() {
    return slots.cardinality() == SlotHash.SLOT_COUNT;
  }

  SlotSet and(SlotSet other) {
    BitSet both = copy();
    both.and(other.slots);
    return new SlotSet(both);
  }

  SlotSet plus(SlotSet other) {
    BitSet either = copy();
    either.or(other.slots);
    return new SlotSet(either);
  }

  SlotSet minus(SlotSet other) {
    BitSet rest = copy();
    rest.andNot(other.slots);
    return new SlotSet(rest);
  }

  private BitSet copy() {
    return (BitSet) slots.clone();
  }
}

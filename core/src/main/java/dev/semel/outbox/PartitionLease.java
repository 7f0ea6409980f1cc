package dev.semel.outbox;

import dev.semel.outbox.spi.ReadRange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a relay knows of a partition while it holds it. For one thread. */
final class PartitionLease {
  /**
   * Row numbers are drawn before the commit, so lower ones may appear after higher ones. Every read
   * looks back this far, and once in a while over everything; not always, because a full look meets
   * every deleted row that the database has not cleaned up yet.
   */
  static final long LOOK_BACK = 10_000;

  /** When more than this many keys and places wait for a retry, the whole partition waits. */
  static final int MAX_HELD = 1000;

  private final int partition;
  private final long lookEverywhereNanos;
  private final Map<String, Long> heldKeys = new HashMap<>();
  private final Map<Long, Long> heldPlaces = new HashMap<>();
  private long highest;
  private long lookedEverywhere;

  PartitionLease(int partition, long lookEverywhereNanos, long now) {
    this.partition = partition;
    this.lookEverywhereNanos = lookEverywhereNanos;
    this.lookedEverywhere = now;
  }

  int partition() {
    return partition;
  }

  /** The range to read next, if any. */
  List<ReadRange> slice(long now) {
    boolean due = heldKeys.values().removeIf(at -> at - now <= 0);
    due |= heldPlaces.values().removeIf(at -> at - now <= 0);
    if (due) {
      rewind();
    }
    if (heldKeys.size() + heldPlaces.size() > MAX_HELD) {
      return List.of();
    }
    if (now - lookedEverywhere > lookEverywhereNanos) {
      rewind();
    }
    if (highest == 0) {
      lookedEverywhere = now;
    }
    return List.of(
        new ReadRange(
            partition,
            Math.max(0, highest - LOOK_BACK),
            Set.copyOf(heldKeys.keySet()),
            Set.copyOf(heldPlaces.keySet())));
  }

  void read(long place) {
    highest = Math.max(highest, place);
  }

  /** Makes the next read begin at the start again. */
  void rewind() {
    highest = 0;
  }

  /** A message failed: later messages with its key wait until it is tried again. */
  void hold(String orderingKey, long place, long due) {
    if (orderingKey.isEmpty()) {
      heldPlaces.put(place, due);
    } else {
      heldKeys.merge(orderingKey, due, Math::max);
    }
    rewind();
  }

  /** When the next retry is due. */
  long nextDue(long otherwise) {
    List<Long> all = new ArrayList<>(heldKeys.values());
    all.addAll(heldPlaces.values());
    return all.stream().mapToLong(Long::longValue).min().orElse(otherwise);
  }
}

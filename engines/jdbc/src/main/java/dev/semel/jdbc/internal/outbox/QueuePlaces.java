package dev.semel.jdbc.internal.outbox;

import dev.semel.outbox.spi.OutboxStore;
import dev.semel.transport.Message;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The messages' places in the queue: a partition number, followed by a number that is never reused.
 * So a partition is a range of places, and a message costs no index but the primary key.
 */
final class QueuePlaces {
  /** The numbers per partition; the sequences end there. */
  static final long PER_PARTITION = 1L << 52;

  /** The most places in one list; servers put longer lists into a temporary table. */
  static final int MAX_LISTED = 512;

  private QueuePlaces() {}

  /** The place before the partition's first one. */
  static long base(int partition) {
    return partition * PER_PARTITION;
  }

  /**
   * The place before the first of the message's partition; without an ordering key the partition is
   * random.
   */
  static long base(Message message) {
    return base(
        message.ordered()
            ? OutboxStore.partition(message.orderingKey())
            : ThreadLocalRandom.current().nextInt(OutboxStore.PARTITIONS));
  }

  static int partition(long place) {
    return (int) (place / PER_PARTITION);
  }

  /**
   * An {@code IN (?, ?, …)} for at least this many values, in few sizes so that few texts suffice.
   */
  static String in(int count) {
    return "IN (" + String.join(", ", Collections.nCopies(slots(count), "?")) + ")";
  }

  /** The values of such a list, padded with the last one. */
  static Object[] listed(List<Long> places) {
    List<Object> values = new ArrayList<>(places);
    while (values.size() < slots(places.size())) {
      values.add(places.getLast());
    }
    return values.toArray();
  }

  private static int slots(int count) {
    return Integer.highestOneBit(Math.max(1, 2 * count - 1));
  }

  /**
   * Splits places into lists of limited length, each in ascending order to lock without deadlocks.
   */
  static List<List<Long>> inParts(List<Long> places) {
    List<Long> sorted = places.stream().sorted().toList();
    List<List<Long>> parts = new ArrayList<>();
    for (int from = 0; from < sorted.size(); from += MAX_LISTED) {
      parts.add(sorted.subList(from, Math.min(sorted.size(), from + MAX_LISTED)));
    }
    return parts;
  }
}

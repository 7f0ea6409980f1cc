package dev.semel.jdbc.internal.outbox;

import dev.semel.outbox.spi.OutboxStore;
import dev.semel.transport.Message;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The numbers under which messages stand in the queue: the partition, and then a number that is
 * never given twice. So a partition is a range of places, and the primary key is the only index
 * that a message costs.
 */
final class QueuePlaces {
  /** How many numbers a partition has; the sequences end there. */
  static final long PER_PARTITION = 1L << 52;

  /** How many may stand in one list; a server keeps longer ones in a table of their own. */
  static final int MAX_LISTED = 512;

  private QueuePlaces() {}

  /** The place before the first of the partition. */
  static long base(int partition) {
    return partition * PER_PARTITION;
  }

  /** The place before that of the message; without an ordering key any partition will do. */
  static long base(Message message) {
    return base(
        message.ordered()
            ? OutboxStore.partition(message.orderingKey())
            : ThreadLocalRandom.current().nextInt(OutboxStore.PARTITIONS));
  }

  static int partition(long place) {
    return (int) (place / PER_PARTITION);
  }

  /** For so many or more, such that few texts serve every number: {@code IN (?, ?, …)}. */
  static String in(int count) {
    return "IN (" + String.join(", ", Collections.nCopies(slots(count), "?")) + ")";
  }

  /** The values of such a list; what is left of it is filled with the last one. */
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

  /** In lists that are not too long, each in ascending order, as locks are to be taken. */
  static List<List<Long>> inParts(List<Long> places) {
    List<Long> sorted = places.stream().sorted().toList();
    List<List<Long>> parts = new ArrayList<>();
    for (int from = 0; from < sorted.size(); from += MAX_LISTED) {
      parts.add(sorted.subList(from, Math.min(sorted.size(), from + MAX_LISTED)));
    }
    return parts;
  }
}

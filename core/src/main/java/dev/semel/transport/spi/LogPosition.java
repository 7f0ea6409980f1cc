package dev.semel.transport.spi;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;

/**
 * The position of a message in a log that remembers no acknowledgements. Positions are the broker's
 * own text, and only compared for equality.
 *
 * @param partition the log's name in the consumer's positions
 * @param from the position of a consumer that has finished everything before this message; empty:
 *     it never finished anything
 * @param next its position once this message is finished too
 */
public record LogPosition(String partition, String from, String next) {
  /**
   * How far a consumer gets in each partition: up to the first unfinished message.
   *
   * @param places in each partition one right after the other
   * @param over whether the message with this index is finished
   * @return at most one for each partition, from where the first begins to where the last finished
   *     one ends
   */
  public static List<LogPosition> reached(List<LogPosition> places, IntPredicate over) {
    Map<String, Integer> partitions = new HashMap<>();
    Set<String> stopped = new HashSet<>();
    List<LogPosition> reached = new ArrayList<>();
    for (int i = 0; i < places.size(); i++) {
      LogPosition place = places.get(i);
      if (stopped.contains(place.partition())) {
        continue;
      }
      Integer before = partitions.get(place.partition());
      if (!over.test(i) || (before != null && !reached.get(before).next.equals(place.from))) {
        stopped.add(place.partition());
      } else if (before == null) {
        partitions.put(place.partition(), reached.size());
        reached.add(place);
      } else {
        reached.set(before, new LogPosition(place.partition, reached.get(before).from, place.next));
      }
    }
    return reached;
  }
}

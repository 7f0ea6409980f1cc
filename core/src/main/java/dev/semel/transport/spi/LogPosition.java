package dev.semel.transport.spi;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;

/**
 * Where a message is in a log that remembers nobody's acknowledgements. Positions are the broker's
 * own words, and only compared for being the same.
 *
 * @param partition the log's name, as the consumer's positions are kept by it
 * @param from where a consumer stands that has finished everything before it; empty: it never
 *     finished anything
 * @param next where it stands once this is finished too
 */
public record LogPosition(String partition, String from, String next) {
  /**
   * How far a consumer comes in each partition: up to the first that is not over.
   *
   * @param places in each partition one right behind the other
   * @param over asked by number
   * @return at most one for each partition, from where the first was to where the last over one
   *     ends
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

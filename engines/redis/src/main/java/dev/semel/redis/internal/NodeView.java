package dev.semel.redis.internal;

import dev.semel.StoreException;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * A node's own line in CLUSTER NODES: only that line is certain, and only it marks moving slots.
 *
 * @param settled the served slots that are not moving; empty for a replica
 */
record NodeView(SlotSet settled) {
  private static final int FIRST_SLOTS = 8;

  static NodeView parse(String clusterNodes) {
    String[] own =
        clusterNodes
            .lines()
            .filter(line -> line.contains("myself"))
            .findFirst()
            .orElseThrow(() -> new StoreException("a node of a cluster that does not know itself"))
            .split(" ");
    if (!own[2].contains("master")) {
      return new NodeView(SlotSet.NONE);
    }
    String served =
        Arrays.stream(own)
            .skip(FIRST_SLOTS)
            .filter(part -> !part.startsWith("["))
            .collect(Collectors.joining(","));
    // [93->-node] is leaving to that node, [93-<-node] is arriving from it.
    String leaving =
        Arrays.stream(own)
            .skip(FIRST_SLOTS)
            .filter(part -> part.startsWith("[") && part.contains("->-"))
            .map(part -> part.substring(1, part.indexOf("->-")))
            .collect(Collectors.joining(","));
    return new NodeView(SlotSet.parse(served).minus(SlotSet.parse(leaving)));
  }
}

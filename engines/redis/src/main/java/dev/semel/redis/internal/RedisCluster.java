package dev.semel.redis.internal;

import dev.semel.StoreException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.models.role.RedisInstance.Role;
import java.time.Duration;
import java.util.List;

/**
 * The nodes of a cluster, as known to the client, which refreshes its view after redirects and lost
 * connections, and periodically.
 */
public final class RedisCluster implements ConfirmedWrites.Nodes {
  private final RedisClusterClient client;
  private final StatefulRedisClusterConnection<byte[], byte[]> connection;
  private final Duration timeout;

  RedisCluster(
      RedisClusterClient client,
      StatefulRedisClusterConnection<byte[], byte[]> connection,
      Duration timeout) {
    this.client = client;
    this.connection = connection;
    this.timeout = timeout;
  }

  /** The ids of all nodes with slots. */
  List<String> primaries() {
    return connection.getPartitions().stream()
        .filter(RedisCluster::isPrimary)
        .map(RedisClusterNode::getNodeId)
        .sorted()
        .toList();
  }

  boolean isPrimary(String id) {
    RedisClusterNode node = connection.getPartitions().getPartitionByNodeId(id);
    return node != null && isPrimary(node);
  }

  private static boolean isPrimary(RedisClusterNode node) {
    return node.getRole() == Role.UPSTREAM && !node.hasNoSlots();
  }

  /** The client's connection to one node. */
  RedisLink node(String id) {
    RedisClusterNode node = connection.getPartitions().getPartitionByNodeId(id);
    String server = node == null ? "node " + id : "Redis at " + RedisUrl.address(node.getUri());
    try {
      return RedisLink.timedByClient(connection.getConnection(id).async(), server, timeout);
    } catch (RedisException e) {
      throw new StoreException("%s can't be asked: %s".formatted(server, e.getMessage()), e);
    }
  }

  @Override
  public RedisURI of(int slot) {
    RedisClusterNode node = connection.getPartitions().getMasterBySlot(slot);
    if (node == null) {
      wrong();
      throw new StoreException(
          "no node of the Redis Cluster serves slot %d: redis-cli --cluster check shows why"
              .formatted(slot));
    }
    return node.getUri();
  }

  /** Refreshes the view of the nodes; if none answers, the old view stays. */
  void refresh() {
    try {
      client.refreshPartitions();
    } catch (RedisException e) {
      return;
    }
  }

  @Override
  public void wrong() {
    if (!client.isTopologyRefreshInProgress()) {
      client.refreshPartitionsAsync();
    }
  }
}

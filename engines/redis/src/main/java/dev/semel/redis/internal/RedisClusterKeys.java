package dev.semel.redis.internal;

import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.idempotency.spi.KeyCatalog;
import dev.semel.idempotency.spi.KeyEntry;
import dev.semel.idempotency.spi.RecordImport;
import java.util.Optional;

/**
 * Lists and changes records on a cluster: steps on one key go to its node, listings scan one
 * primary after another.
 */
public final class RedisClusterKeys implements KeyCatalog {
  private final RedisLink link;
  private final RedisCluster cluster;
  private final RedisKeys keys;

  public RedisClusterKeys(RedisLink link, RedisCluster cluster) {
    this.link = link;
    this.cluster = cluster;
    this.keys = new RedisKeys(link);
  }

  @Override
  public Page list(String prefix, String cursor, int limit) {
    ClusterCursor parsed = ClusterCursor.parse(cursor);
    ClusterCursor at = resumed(parsed).orElseGet(() -> begun(parsed.done()));
    RedisLink node = cluster.node(at.node());
    KeyScan.Part part =
        new KeyScan(link, node)
            .list(prefix, at.position(), Math.clamp(limit, 1, MAX_PAGE), at.covered()::contains);
    if (part.next().isPresent()) {
      ClusterCursor next = new ClusterCursor(at.done(), at.node(), at.covered(), part.next().get());
      return new Page(part.entries(), next.text());
    }
    SlotSet done = at.done().plus(at.covered().and(view(node).settled()));
    return new Page(part.entries(), done.isAll() ? "" : ClusterCursor.between(done).text());
  }

  private static NodeView view(RedisLink node) {
    return NodeView.parse(node.get(c -> c.clusterNodes()));
  }

  /**
   * Continues a node's scan, for slots that the node still has. Empty when the node is no primary
   * any more: its replica scans in another order, so its part starts again.
   */
  private Optional<ClusterCursor> resumed(ClusterCursor cursor) {
    if (cursor.node().isEmpty() || !cluster.isPrimary(cursor.node())) {
      return Optional.empty();
    }
    SlotSet covered;
    try {
      covered = cursor.covered().and(view(cluster.node(cursor.node())).settled());
    } catch (StoreException e) {
      cluster.refresh();
      if (cluster.isPrimary(cursor.node())) {
        throw e;
      }
      return Optional.empty();
    }
    return Optional.of(new ClusterCursor(cursor.done(), cursor.node(), covered, cursor.position()))
        .filter(resumed -> !resumed.covered().isEmpty());
  }

  /** Starts scanning a node that serves slots not yet listed. */
  private ClusterCursor begun(SlotSet done) {
    return startingNode(done)
        .or(
            () -> {
              cluster.refresh();
              return startingNode(done);
            })
        .orElseThrow(
            () ->
                new StoreException(
                    "%s is moving slots that are not listed yet: list on from the same cursor when it is done (redis-cli --cluster check shows a move that got stuck)"
                        .formatted(link.server())));
  }

  private Optional<ClusterCursor> startingNode(SlotSet done) {
    for (String id : cluster.primaries()) {
      SlotSet covered = view(cluster.node(id)).settled().minus(done);
      if (!covered.isEmpty()) {
        return Optional.of(new ClusterCursor(done, id, covered, ScanPosition.parse("")));
      }
    }
    return Optional.empty();
  }

  @Override
  public boolean forceRelease(Key key) {
    return keys.forceRelease(key);
  }

  @Override
  public boolean delete(Key key) {
    return keys.delete(key);
  }

  @Override
  public RecordImport adopt(KeyEntry entry) {
    return keys.adopt(entry);
  }

  @Override
  public boolean cursorsOutliveRestarts() {
    return keys.cursorsOutliveRestarts();
  }

  @Override
  public int purge(int limit) {
    return keys.purge(limit);
  }

  @Override
  public Usage usage() {
    return cluster.primaries().stream()
        .map(id -> new KeyScan(link, cluster.node(id)).usage())
        .reduce(
            new Usage(0, 0, true),
            (a, b) ->
                new Usage(
                    a.activeKeys() + b.activeKeys(),
                    a.bytes() + b.bytes(),
                    a.exact() && b.exact()));
  }
}

package dev.semel.redis;

import dev.semel.StoreException;
import dev.semel.event.spi.EventStore;
import dev.semel.idempotency.spi.IdempotencyStore;
import dev.semel.idempotency.spi.KeyCatalog;
import dev.semel.idempotency.spi.SettingsStore;
import dev.semel.idempotency.spi.StatisticsStore;
import dev.semel.idempotency.spi.Store;
import dev.semel.redis.internal.BorrowedRedis;
import dev.semel.redis.internal.RedisAccess;
import dev.semel.redis.internal.RedisCluster;
import dev.semel.redis.internal.RedisClusterKeys;
import dev.semel.redis.internal.RedisEvents;
import dev.semel.redis.internal.RedisHazards;
import dev.semel.redis.internal.RedisKeys;
import dev.semel.redis.internal.RedisLink;
import dev.semel.redis.internal.RedisRecords;
import dev.semel.redis.internal.RedisServers;
import dev.semel.redis.internal.RedisSettings;
import dev.semel.redis.internal.RedisStatistics;
import dev.semel.redis.internal.ServerInfo;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A store of idempotency records on Redis or Redis Cluster, 7.0 or newer, for many processes
 * without a shared database. All threads share its connections.
 *
 * <p>A granted claim is as durable as Redis is configured to be: with {@code appendfsync always} it
 * survives a crash of the machine, with {@code everysec} the last second may be lost, and a
 * failover may lose what the replica did not have yet, unless {@code wait=1} makes every call wait
 * for the replica. A Redis that evicts keys is refused.
 *
 * <p>Safe for many threads. After a crash of this process its claims' leases expire. While Redis is
 * unreachable, calls fail at once or within the command timeout; the client reconnects, and follows
 * a cluster's failovers and moved slots.
 */
public final class RedisStore implements Store {
  private final RedisServers servers;
  private final RedisLink link;
  private final KeyCatalog catalog;
  private final RedisStatistics statistics;

  private RedisStore(RedisServers servers) {
    RedisCluster cluster = servers.cluster();
    this.servers = servers;
    this.link = servers.link();
    this.catalog = cluster == null ? new RedisKeys(link) : new RedisClusterKeys(link, cluster);
    this.statistics = new RedisStatistics(link);
  }

  /**
   * Connects, and refuses a server that is too old or may evict live claims, and a cluster that
   * does not serve all its slots.
   *
   * @param url {@code redis://user:password@host:6379/0}, or of a cluster {@code
   *     redis-cluster://user:password@host:6379,host:6380}; {@code rediss} for TLS; options are
   *     {@code timeout=5s}, {@code eviction=allow}, {@code wait=1} (how many replicas must have a
   *     change before the call returns), and {@code wait-timeout=200ms}
   * @throws StoreException if the server is unreachable or unsuitable
   */
  public static RedisStore open(String url) {
    return new RedisStore(RedisAccess.open(url));
  }

  /**
   * Uses a connection of the application, which stays open when the store is closed. The
   * connection's timeout and its behaviour while disconnected apply.
   */
  public static RedisStore over(StatefulRedisConnection<byte[], byte[]> connection) {
    RedisLink link = RedisLink.timedHere(connection, "Redis");
    RedisAccess.check(link, false, false);
    return new RedisStore(new BorrowedRedis(link));
  }

  RedisLink link() {
    return link;
  }

  boolean isCluster() {
    return servers.cluster() != null;
  }

  @Override
  public String describe() {
    return servers.describe();
  }

  @Override
  public IdempotencyStore idempotency() {
    return new RedisRecords(link);
  }

  @Override
  public KeyCatalog catalog() {
    return catalog;
  }

  @Override
  public StatisticsStore statistics() {
    return statistics;
  }

  @Override
  public SettingsStore settings() {
    return new RedisSettings(link);
  }

  @Override
  public EventStore events() {
    return new RedisEvents(link);
  }

  /** The server's clock; on a cluster, that of the node with statistics and events. */
  @Override
  public Instant now() {
    return link.now();
  }

  @Override
  public List<String> hazards() {
    return servers.hazards();
  }

  /** Memory; on a cluster that of the fullest primary, because the others can't share theirs. */
  @Override
  public Optional<Room> room() {
    return servers.servers().stream()
        .flatMap(s -> ServerInfo.parse(s.get(c -> c.info("memory"))).room().stream())
        .max(Comparator.comparingDouble(Room::share));
  }

  /**
   * Empty for a cluster, whose nodes may be configured differently: only {@link #hazards} covers
   * them.
   */
  @Override
  public List<String> setUp() {
    return isCluster() ? List.of() : List.of(RedisHazards.of(link).setUp());
  }

  /** Closes the connections that the store opened; calls in progress fail. */
  @Override
  public void close() {
    servers.close();
  }
}

package dev.semel.redis;

import dev.semel.StoreException;
import dev.semel.event.EventStore;
import dev.semel.idempotency.IdempotencyStore;
import dev.semel.idempotency.KeyCatalog;
import dev.semel.idempotency.SettingsStore;
import dev.semel.idempotency.StatisticsStore;
import dev.semel.idempotency.Store;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;

/**
 * The stores on one Redis or on a Redis Cluster, 7.0 or newer, through connections that all threads
 * share.
 *
 * <p>A grant is as durable as Redis is told to be: with {@code appendfsync always} it survives a
 * crash of the machine, with {@code everysec} the last second may be lost, and a failover may lose
 * what the replica did not have yet, unless {@code wait=1} makes every call wait for it. A Redis
 * that evicts keys is refused.
 *
 * <p>Safe for many threads. What a crash of this process leaves behind are claims whose leases run
 * out. A Redis that can't be reached fails calls at once or within the command timeout; the
 * connection comes back by itself, and failovers and moved slots of a cluster are followed.
 */
public final class RedisStore implements Store {
  private final String description;
  private final RedisLink link;
  private final KeyCatalog catalog;
  private final RedisStatistics statistics;
  private final Supplier<List<String>> hazards;
  private final Runnable onClose;

  private RedisStore(
      String description,
      RedisLink link,
      KeyCatalog catalog,
      Supplier<List<String>> hazards,
      Runnable onClose) {
    this.description = description;
    this.link = link;
    this.statistics = new RedisStatistics(link);
    this.catalog = catalog;
    this.hazards = hazards;
    this.onClose = onClose;
  }

  /**
   * Connects, and refuses a server that is too old or may evict live claims, and a cluster that
   * does not serve all its slots.
   *
   * @param url {@code redis://user:password@host:6379/0}, or of a cluster {@code
   *     redis-cluster://user:password@host:6379,host:6380}; {@code rediss} for TLS; options are
   *     {@code timeout=5s}, {@code eviction=allow}, {@code wait=1} for as many replicas that must
   *     have a change before it is answered, and {@code wait-timeout=200ms}
   * @throws StoreException if the server can't be reached or is not fit
   */
  public static RedisStore open(String url) {
    RedisUrl parsed = RedisUrl.parse(url);
    RedisClients clients = new RedisClients(parsed);
    try {
      return parsed.cluster() ? openCluster(parsed, clients) : openSingle(parsed, clients);
    } catch (RedisException e) {
      clients.close();
      throw unreachable(parsed.server(), e);
    } catch (RuntimeException e) {
      clients.close();
      throw e;
    }
  }

  private static RedisStore openSingle(RedisUrl url, RedisClients clients) {
    StatefulRedisConnection<byte[], byte[]> connection =
        clients.single().connect(ByteArrayCodec.INSTANCE);
    RedisLink server = RedisLink.timedByClient(connection.async(), url.server(), url.timeout());
    check(server, false, url.evictionAllowed());
    boolean waits = url.options().waitReplicas() > 0;
    RedisLink link = waits ? server.confirming(clients.confirmed(clients.onlyNode())) : server;
    return new RedisStore(
        url.toString(),
        link,
        new RedisKeys(link),
        () -> RedisHazards.of(server).sentences(waits),
        clients::close);
  }

  private static RedisStore openCluster(RedisUrl url, RedisClients clients) {
    RedisClusterClient client = clients.cluster();
    StatefulRedisClusterConnection<byte[], byte[]> connection =
        client.connect(ByteArrayCodec.INSTANCE);
    RedisCluster cluster = new RedisCluster(client, connection, url.timeout());
    RedisLink link = RedisLink.timedByClient(connection.async(), url.server(), url.timeout());
    for (String id : cluster.primaries()) {
      RedisLink node = cluster.node(id);
      check(node, true, url.evictionAllowed());
      ServerInfo.parse(node.get(c -> c.clusterInfo())).checkState(node.server());
    }
    boolean waits = url.options().waitReplicas() > 0;
    if (waits) {
      link = link.confirming(clients.confirmed(cluster));
    }
    return new RedisStore(
        url.toString(),
        link,
        new RedisClusterKeys(link, cluster),
        () -> hazards(cluster, waits),
        clients::close);
  }

  private static List<String> hazards(RedisCluster cluster, boolean waits) {
    return cluster.primaries().stream()
        .flatMap(id -> RedisHazards.of(cluster.node(id)).sentences(waits).stream())
        .toList();
  }

  private static void check(RedisLink server, boolean cluster, boolean evictionAllowed) {
    ServerInfo.parse(server.get(c -> c.info())).check(server.server(), cluster, evictionAllowed);
  }

  /**
   * Uses a connection of the application's, which stays open when the store is closed. Its own
   * timeout and its behaviour while disconnected apply.
   */
  public static RedisStore over(StatefulRedisConnection<byte[], byte[]> connection) {
    RedisLink link = RedisLink.timedHere(connection, "Redis");
    check(link, false, false);
    return new RedisStore(
        "redis:",
        link,
        new RedisKeys(link),
        () -> RedisHazards.of(link).sentences(false),
        () -> {});
  }

  private static StoreException unreachable(String server, RedisException e) {
    String reason = reason(e);
    if (reason.startsWith("WRONGPASS") || reason.startsWith("NOAUTH")) {
      return new StoreException(
          "%s refused the user or password: check both in the URL (%s)".formatted(server, reason),
          e);
    }
    if (reason.contains("cluster support disabled")) {
      return new StoreException("%s is a single Redis: use a redis:// URL".formatted(server), e);
    }
    return new StoreException(
        "%s can't be reached: check the address, and that Redis runs there (%s)"
            .formatted(server, reason),
        e);
  }

  /** The innermost message says most: the outer ones only repeat the address. */
  static String reason(Throwable e) {
    Throwable inner = e;
    while (inner.getCause() != null) {
      inner = inner.getCause();
    }
    return String.valueOf(inner.getMessage());
  }

  @Override
  public String describe() {
    return description;
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

  /** On a cluster, the clock of the node that has statistics and events. */
  @Override
  public Instant now() {
    return link.now();
  }

  @Override
  public List<String> hazards() {
    return hazards.get();
  }

  /** Closes the connection if the store opened it; calls in progress fail. */
  @Override
  public void close() {
    onClose.run();
  }
}

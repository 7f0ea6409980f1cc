package dev.semel.redis.internal;

import dev.semel.StoreException;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Checked connections to a Redis or a cluster. */
public final class RedisAccess implements RedisServers {
  /**
   * The client's message when a server disconnects before the client saw the reason, such as a
   * wrong password. A retry usually gets the reason.
   */
  private static final String REASON_LOST = "RedisHandshakeHandler not registered";

  private static final int MAX_ATTEMPTS = 5;

  private final RedisUrl url;
  private final RedisClients clients;
  private final Opened opened;

  /**
   * The open connections.
   *
   * @param single the server; empty for a cluster, which lists its own nodes
   */
  private record Opened(
      RedisLink link,
      @Nullable RedisCluster cluster,
      List<RedisLink> single,
      Supplier<StatefulRedisPubSubConnection<byte[], byte[]>> listening) {}

  private RedisAccess(RedisUrl url, RedisClients clients, Opened opened) {
    this.url = url;
    this.clients = clients;
    this.opened = opened;
  }

  /**
   * Connects, and refuses an unsuitable server: too old, with eviction of keys, or a cluster that
   * does not serve all slots.
   */
  public static RedisAccess open(String text) {
    RedisUrl url = RedisUrl.parse(text);
    for (int attempt = 1; ; attempt++) {
      RedisClients clients = new RedisClients(url);
      try {
        return url.cluster() ? openCluster(url, clients) : openSingle(url, clients);
      } catch (RedisException e) {
        clients.close();
        if (attempt == MAX_ATTEMPTS || !reason(e).contains(REASON_LOST)) {
          throw unreachable(url.server(), e);
        }
      } catch (RuntimeException e) {
        clients.close();
        throw e;
      }
    }
  }

  private static RedisAccess openSingle(RedisUrl url, RedisClients clients) {
    RedisClient client = clients.single();
    StatefulRedisConnection<byte[], byte[]> connection = client.connect(ByteArrayCodec.INSTANCE);
    RedisLink server = RedisLink.timedByClient(connection.async(), url.server(), url.timeout());
    check(server, false, url.evictionAllowed());
    RedisLink link =
        url.options().waitReplicas() > 0
            ? server.confirming(clients.confirmed(clients.onlyNode()))
            : server;
    return new RedisAccess(
        url,
        clients,
        new Opened(
            link, null, List.of(server), () -> client.connectPubSub(ByteArrayCodec.INSTANCE)));
  }

  private static RedisAccess openCluster(RedisUrl url, RedisClients clients) {
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
    if (url.options().waitReplicas() > 0) {
      link = link.confirming(clients.confirmed(cluster));
    }
    return new RedisAccess(
        url,
        clients,
        new Opened(link, cluster, List.of(), () -> client.connectPubSub(ByteArrayCodec.INSTANCE)));
  }

  public static void check(RedisLink server, boolean cluster, boolean evictionAllowed) {
    ServerInfo.parse(server.get(c -> c.info())).check(server.server(), cluster, evictionAllowed);
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

  /** The innermost message is the useful one: the outer ones only repeat the address. */
  static String reason(Throwable e) {
    Throwable inner = e;
    while (inner.getCause() != null) {
      inner = inner.getCause();
    }
    return String.valueOf(inner.getMessage());
  }

  @Override
  public RedisLink link() {
    return opened.link();
  }

  @Override
  public String describe() {
    return url.toString();
  }

  @Override
  public @Nullable RedisCluster cluster() {
    return opened.cluster();
  }

  public boolean waits() {
    return url.options().waitReplicas() > 0;
  }

  /** Opens a connection that only listens for notifications, and reconnects when it breaks. */
  public StatefulRedisPubSubConnection<byte[], byte[]> listen() {
    try {
      return opened.listening().get();
    } catch (RedisException e) {
      throw unreachable(url.server(), e);
    }
  }

  @Override
  public List<String> hazards() {
    return servers().stream()
        .flatMap(server -> RedisHazards.of(server).sentences(waits()).stream())
        .toList();
  }

  @Override
  public List<RedisLink> servers() {
    RedisCluster cluster = opened.cluster();
    return cluster == null
        ? opened.single()
        : cluster.primaries().stream().map(cluster::node).toList();
  }

  @Override
  public void close() {
    clients.close();
  }
}

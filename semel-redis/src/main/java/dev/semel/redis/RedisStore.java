package dev.semel.redis;

import dev.semel.StoreException;
import dev.semel.idempotency.IdempotencyStore;
import dev.semel.idempotency.KeyCatalog;
import dev.semel.idempotency.StatisticsStore;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.MaintNotificationsConfig;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The stores on one Redis, 7.0 or newer, through one connection that all threads share.
 *
 * <p>A grant is as durable as Redis is told to be: with {@code appendfsync always} it survives a
 * crash of the machine, with {@code everysec} the last second may be lost, and a failover may lose
 * what the replica did not have yet. A Redis that evicts keys is refused.
 *
 * <p>Safe for many threads. What a crash of this process leaves behind are claims whose leases run
 * out. A Redis that can't be reached fails calls at once or within the command timeout; the
 * connection comes back by itself.
 */
public final class RedisStore implements AutoCloseable {
  private static final Duration SHUTDOWN_LIMIT = Duration.ofSeconds(2);

  /** The client's own would make up to half a minute of an outage that is over. */
  private static final Delay RECONNECT =
      Delay.fullJitter(Duration.ofMillis(20), Duration.ofSeconds(1), 10, TimeUnit.MILLISECONDS);

  private final RedisLink link;
  private final Runnable onClose;

  private RedisStore(RedisLink link, boolean evictionAllowed, Runnable onClose) {
    this.link = link;
    this.onClose = onClose;
    try {
      ServerInfo.parse(link.get(c -> c.info())).check(link.server(), evictionAllowed);
    } catch (RuntimeException e) {
      onClose.run();
      throw e;
    }
  }

  /**
   * Connects, and refuses a server that is too old or may evict live claims.
   *
   * @param url {@code redis://user:password@host:6379/0}, or {@code rediss://} for TLS; options are
   *     {@code timeout=5s} and {@code eviction=allow}
   * @throws StoreException if the server can't be reached or is not fit
   */
  public static RedisStore open(String url) {
    RedisUrl parsed = RedisUrl.parse(url);
    String server = "Redis at " + parsed.address();
    ClientResources resources = ClientResources.builder().reconnectDelay(RECONNECT).build();
    RedisClient client = RedisClient.create(resources, parsed.uri());
    Runnable shutdown =
        () -> {
          client.shutdown(Duration.ZERO, SHUTDOWN_LIMIT);
          resources
              .shutdown(0, SHUTDOWN_LIMIT.toMillis(), TimeUnit.MILLISECONDS)
              .awaitUninterruptibly(SHUTDOWN_LIMIT.toMillis());
        };
    try {
      client.setOptions(options(parsed));
      StatefulRedisConnection<byte[], byte[]> connection = client.connect(ByteArrayCodec.INSTANCE);
      RedisLink link = RedisLink.timedByClient(connection, server, parsed.timeout());
      return new RedisStore(link, parsed.evictionAllowed(), shutdown);
    } catch (RedisException e) {
      shutdown.run();
      throw unreachable(server, e);
    }
  }

  /**
   * Uses a connection of the application's, which stays open when the store is closed. Its own
   * timeout and its behaviour while disconnected apply.
   */
  public static RedisStore over(StatefulRedisConnection<byte[], byte[]> connection) {
    RedisLink link = RedisLink.timedHere(connection, "Redis");
    return new RedisStore(link, false, () -> {});
  }

  private static ClientOptions options(RedisUrl url) {
    return ClientOptions.builder()
        // A caller is told at once, instead of waiting in a queue for a server that is gone.
        .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
        .timeoutOptions(TimeoutOptions.enabled(url.timeout()))
        .socketOptions(
            SocketOptions.builder().connectTimeout(url.connectTimeout()).keepAlive(true).build())
        // A handshake that Redis 7 would only answer with an error.
        .maintNotificationsConfig(MaintNotificationsConfig.disabled())
        .build();
  }

  private static StoreException unreachable(String server, RedisException e) {
    String reason = reason(e);
    if (reason.startsWith("WRONGPASS") || reason.startsWith("NOAUTH")) {
      return new StoreException(
          "%s refused the user or password: check both in the URL (%s)".formatted(server, reason),
          e);
    }
    return new StoreException(
        "%s can't be reached: check the address, and that Redis runs there (%s)"
            .formatted(server, reason),
        e);
  }

  /** The innermost message says most: the outer ones only repeat the address. */
  private static String reason(Throwable e) {
    Throwable inner = e;
    while (inner.getCause() != null) {
      inner = inner.getCause();
    }
    return String.valueOf(inner.getMessage());
  }

  public IdempotencyStore idempotency() {
    return new RedisRecords(link);
  }

  public KeyCatalog catalog() {
    return new RedisKeys(link);
  }

  public StatisticsStore statistics() {
    return new RedisStatistics(link);
  }

  /** Closes the connection if the store opened it; calls in progress fail. */
  @Override
  public void close() {
    onClose.run();
  }
}

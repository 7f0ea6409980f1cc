package dev.semel.redis.internal;

import dev.semel.loop.Platform;
import dev.semel.loop.internal.Backoff;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.MaintNotificationsConfig;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The clients that one store created, and their options. */
final class RedisClients implements AutoCloseable {
  private static final Duration SHUTDOWN_LIMIT = Duration.ofSeconds(2);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  /** Reconnects quickly: the client's own delays could extend an outage by half a minute. */
  private static final Delay RECONNECT =
      new Delay() {
        @Override
        public Duration createDelay(long attempt) {
          return Backoff.pause(FIRST_PAUSE, LONGEST_PAUSE, attempt, Platform.REAL::random);
        }
      };

  /** Detects changes without an error; failovers and moved slots also show as errors. */
  private static final Duration REFRESH_EVERY = Duration.ofSeconds(15);

  /** Errors come by the thousand, but one refresh covers all of them. */
  private static final Duration REFRESH_AT_MOST_EVERY = Duration.ofMillis(250);

  private final RedisUrl url;
  private final ClientResources resources =
      ClientResources.builder().reconnectDelay(RECONNECT).build();
  private final List<AbstractRedisClient> clients = new ArrayList<>();

  RedisClients(RedisUrl url) {
    this.url = url;
  }

  RedisClient single() {
    RedisClient client = RedisClient.create(resources, url.uri());
    client.setOptions(rejecting(withOurs(ClientOptions.builder())).build());
    clients.add(client);
    return client;
  }

  RedisClusterClient cluster() {
    RedisClusterClient client = RedisClusterClient.create(resources, url.nodes());
    ClusterTopologyRefreshOptions refresh =
        ClusterTopologyRefreshOptions.builder()
            // By default redirects, lost connections and unknown nodes also trigger a refresh.
            .enablePeriodicRefresh(REFRESH_EVERY)
            .adaptiveRefreshTriggersTimeout(REFRESH_AT_MOST_EVERY)
            .refreshTriggersReconnectAttempts(1)
            .build();
    ClusterClientOptions.Builder options =
        ClusterClientOptions.builder()
            .topologyRefreshOptions(refresh)
            // A redirect may lead to a node that joined after the last refresh.
            .validateClusterNodeMembership(false);
    withOurs(options);
    client.setOptions(options.build());
    clients.add(client);
    return client;
  }

  /** Connections that never reconnect, so that WAIT can't run on another one. */
  ConfirmedWrites confirmed(ConfirmedWrites.Nodes nodes) {
    RedisClient client = RedisClient.create(resources);
    client.setOptions(rejecting(withOurs(ClientOptions.builder())).autoReconnect(false).build());
    clients.add(client);
    return new ConfirmedWrites(client, nodes, url.options());
  }

  /** For a single Redis, which has every slot. */
  ConfirmedWrites.Nodes onlyNode() {
    return new ConfirmedWrites.Nodes() {
      @Override
      public RedisURI of(int slot) {
        return url.uri();
      }

      @Override
      public void wrong() {}
    };
  }

  /**
   * Fails calls at once while Redis is disconnected, instead of queueing them. Not on a cluster:
   * there a replica is about to take over, and connections to nodes open on first use, so calls may
   * wait for either until their timeout.
   */
  private static ClientOptions.Builder rejecting(ClientOptions.Builder options) {
    return options.disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS);
  }

  private ClientOptions.Builder withOurs(ClientOptions.Builder options) {
    return options
        .timeoutOptions(TimeoutOptions.enabled(url.timeout()))
        .socketOptions(
            SocketOptions.builder().connectTimeout(url.connectTimeout()).keepAlive(true).build())
        // Disables a handshake that Redis 7 answers with an error.
        .maintNotificationsConfig(MaintNotificationsConfig.disabled());
  }

  @Override
  public void close() {
    clients.forEach(client -> client.shutdown(Duration.ZERO, SHUTDOWN_LIMIT));
    resources
        .shutdown(0, SHUTDOWN_LIMIT.toMillis(), TimeUnit.MILLISECONDS)
        .awaitUninterruptibly(SHUTDOWN_LIMIT.toMillis());
  }
}

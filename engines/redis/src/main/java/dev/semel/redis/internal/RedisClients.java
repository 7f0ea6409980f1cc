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

/** The clients that one store made for itself, and how they behave. */
final class RedisClients implements AutoCloseable {
  private static final Duration SHUTDOWN_LIMIT = Duration.ofSeconds(2);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  /** The client's own would make up to half a minute of an outage that is over. */
  private static final Delay RECONNECT =
      new Delay() {
        @Override
        public Duration createDelay(long attempt) {
          return Backoff.pause(FIRST_PAUSE, LONGEST_PAUSE, attempt, Platform.REAL::random);
        }
      };

  /** A failover or a moved slot shows at once by an error; this is for all that does not. */
  private static final Duration REFRESH_EVERY = Duration.ofSeconds(15);

  /** Errors come by the thousand, and one look at the nodes is an answer to all of them. */
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
            // Redirects, lost connections and unknown nodes trigger one too, by default.
            .enablePeriodicRefresh(REFRESH_EVERY)
            .adaptiveRefreshTriggersTimeout(REFRESH_AT_MOST_EVERY)
            .refreshTriggersReconnectAttempts(1)
            .build();
    ClusterClientOptions.Builder options =
        ClusterClientOptions.builder()
            .topologyRefreshOptions(refresh)
            // A redirect may lead to a node that joined after the last look.
            .validateClusterNodeMembership(false);
    withOurs(options);
    client.setOptions(options.build());
    clients.add(client);
    return client;
  }

  /** Its connections end when they break, and never come back as another. */
  ConfirmedWrites confirmed(ConfirmedWrites.Nodes nodes) {
    RedisClient client = RedisClient.create(resources);
    client.setOptions(rejecting(withOurs(ClientOptions.builder())).autoReconnect(false).build());
    clients.add(client);
    return new ConfirmedWrites(client, nodes, url.options());
  }

  /** For a Redis that has every slot itself. */
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
   * A caller is told at once, instead of waiting in a queue for a server that is gone. Not so on a
   * cluster: there a replica is about to take over, connections to nodes are made when they are
   * first needed, and a call may wait for either until its timeout.
   */
  private static ClientOptions.Builder rejecting(ClientOptions.Builder options) {
    return options.disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS);
  }

  private ClientOptions.Builder withOurs(ClientOptions.Builder options) {
    return options
        .timeoutOptions(TimeoutOptions.enabled(url.timeout()))
        .socketOptions(
            SocketOptions.builder().connectTimeout(url.connectTimeout()).keepAlive(true).build())
        // A handshake that Redis 7 would only answer with an error.
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

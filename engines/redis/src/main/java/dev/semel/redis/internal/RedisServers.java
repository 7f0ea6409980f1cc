package dev.semel.redis.internal;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Connections to a Redis or a cluster, opened by the store or the application. */
public interface RedisServers extends AutoCloseable {
  RedisLink link();

  /** Null for a single server. */
  @Nullable RedisCluster cluster();

  /** The servers' names without the password. */
  String describe();

  /** The server, or all primaries. */
  List<RedisLink> servers();

  /** Warnings about the configuration of the server, or of any primary. */
  List<String> hazards();

  /** Closes connections that it opened; calls in progress fail. */
  @Override
  void close();
}

package dev.semel.redis.internal;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A Redis or a cluster, and the connections to it, whoever opened them. */
public interface RedisServers extends AutoCloseable {
  RedisLink link();

  /** Null: it is a single server. */
  @Nullable RedisCluster cluster();

  /** Without a password. */
  String describe();

  /** The server, or all primaries. */
  List<RedisLink> servers();

  /** What about the set-up of the server, or of any primary, can lose what it was told. */
  List<String> hazards();

  /** Closes what it opened; calls in progress fail. */
  @Override
  void close();
}

package dev.semel.redis.internal;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A server over an application's connection, which stays open. */
public record BorrowedRedis(RedisLink link) implements RedisServers {
  @Override
  public @Nullable RedisCluster cluster() {
    return null;
  }

  @Override
  public String describe() {
    return "redis:";
  }

  @Override
  public List<RedisLink> servers() {
    return List.of(link);
  }

  @Override
  public List<String> hazards() {
    return RedisHazards.of(link).sentences(false);
  }

  @Override
  public void close() {}
}

package dev.semel.redis;

import dev.semel.testservices.RedisClusterService;
import dev.semel.testservices.RedisService;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** The servers for the contracts of queues and transports. */
final class RedisServers {
  private RedisServers() {}

  /**
   * The tests' parameter on each server; JUnit closes it after the last test.
   *
   * @param opening opens a URL
   */
  static Stream<Arguments> each(
      RedisService one, RedisClusterService cluster, Function<String, AutoCloseable> opening) {
    return Stream.of(
        Arguments.argumentSet("one server", opening.apply(one.url())),
        Arguments.argumentSet("a cluster", opening.apply(cluster.url())));
  }
}

package dev.semel.redis;

import dev.semel.testservices.RedisClusterService;
import dev.semel.testservices.RedisService;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** What contracts of queues and transports run on. */
final class RedisServers {
  private RedisServers() {}

  /**
   * What tests take as their parameter, on each; JUnit closes it after the last of them.
   *
   * @param opening takes a URL
   */
  static Stream<Arguments> each(
      RedisService one, RedisClusterService cluster, Function<String, AutoCloseable> opening) {
    return Stream.of(
        Arguments.argumentSet("one server", opening.apply(one.url())),
        Arguments.argumentSet("a cluster", opening.apply(cluster.url())));
  }
}

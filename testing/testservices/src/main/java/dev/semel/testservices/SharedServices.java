package dev.semel.testservices;

import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Hands a running {@link KafkaService}, {@link MariaDbService}, {@link NatsService}, {@link
 * PostgresService}, {@link RabbitService}, {@link RedisService} or {@link RedisClusterService} to
 * tests that declare it as a parameter. The first use starts a service, all tests of the JVM share
 * it, and it is closed at the end; a test that kills or reconfigures a server starts a private one
 * instead.
 */
public final class SharedServices implements ParameterResolver {
  private static final Namespace NAMESPACE = Namespace.create(SharedServices.class);
  private static final Map<Class<?>, Supplier<AutoCloseable>> STARTERS =
      Map.of(
          KafkaService.class, KafkaService::start,
          MariaDbService.class, MariaDbService::start,
          NatsService.class, NatsService::start,
          PostgresService.class, PostgresService::start,
          RabbitService.class, RabbitService::start,
          RedisService.class, RedisService::start,
          RedisClusterService.class, RedisClusterService::start);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return STARTERS.containsKey(parameter.getParameter().getType());
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return get(context, parameter.getParameter().getType());
  }

  /** For code that passes engines to tests as parameters. */
  public static <S> S get(ExtensionContext context, Class<S> type) {
    // The root's store outlives every class, and closes its values when the run ends.
    return type.cast(
        context
            .getRoot()
            .getStore(NAMESPACE)
            .computeIfAbsent(type, wanted -> Objects.requireNonNull(STARTERS.get(wanted)).get()));
  }
}

package dev.semel.spring;

import dev.semel.Tenant;
import dev.semel.event.ProcessEvents;
import dev.semel.event.SemelListener;
import dev.semel.idempotency.GuardedExecutor;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.spi.Store;
import dev.semel.spring.internal.DatabaseStore;
import dev.semel.spring.internal.ExecutionChoice;
import dev.semel.spring.internal.ExecutionTelemetry;
import dev.semel.spring.internal.IdempotentMethod;
import dev.semel.spring.internal.IdempotentPostProcessor;
import dev.semel.spring.internal.JsonCodecs;
import dev.semel.spring.internal.PlainCodecs;
import dev.semel.spring.internal.StoreOpener;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.ObjectMapper;

/** Configures the store, executions on it, and {@link Idempotent}. */
@AutoConfiguration(
    after = {SemelJdbcAutoConfiguration.class, SemelMicrometerAutoConfiguration.class},
    afterName = "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration")
@ConditionalOnBooleanProperty(name = "semel.enabled", matchIfMissing = true)
@EnableConfigurationProperties(SemelProperties.class)
public class SemelAutoConfiguration {
  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  Store semelStore(
      SemelProperties properties,
      ObjectProvider<DatabaseStore> database,
      ListableBeanFactory beans) {
    String url = properties.store();
    if (url != null && !url.isBlank()) {
      return StoreOpener.open(url);
    }
    DatabaseStore there = database.getIfAvailable();
    return there == null
        ? StoreOpener.embedded(
            properties.data(), List.of(beans.getBeanNamesForType(DataSource.class, true, false)))
        : there.store();
  }

  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  Idempotency semelIdempotency(
      Store store,
      SemelProperties properties,
      ObjectProvider<SemelListener> listeners,
      ObjectProvider<ExecutionTelemetry> telemetry,
      HealthWatch watch) {
    SemelListener all = listeners.orderedStream().reduce(watch::on, SemelListener::and);
    Store timed = telemetry.getIfAvailable(() -> ExecutionTelemetry.NONE).timing(store);
    return switch (properties.policy().onOutage()) {
      case FAIL_CLOSED -> new Idempotency(timed, all);
      case WARN_AND_CONTINUE -> new Idempotency(timed, all, Path.of(properties.data(), "outages"));
    };
  }

  /** Failures of background loops become events of this process too. */
  @Bean(destroyMethod = "close")
  ProcessEvents.Listening semelLoopFailures(Idempotency idempotency) {
    return ProcessEvents.listen(idempotency.listener());
  }

  @Bean
  HealthWatch semelHealthWatch(SemelProperties properties) {
    return new HealthWatch(properties.health());
  }

  @Bean
  ExecutionChoice semelExecutions(
      Store store,
      Idempotency idempotency,
      ObjectProvider<DatabaseStore> database,
      ObjectProvider<ExecutionTelemetry> telemetry) {
    ExecutionTelemetry measuring = telemetry.getIfAvailable(() -> ExecutionTelemetry.NONE);
    Optional<GuardedExecutor> same =
        database.stream()
            .findFirst()
            .flatMap(there -> there.sameTransaction(idempotency, store, measuring));
    return new ExecutionChoice(idempotency, same, measuring);
  }

  /**
   * Static, because Spring creates post-processors first, and this one must not cause other beans
   * to be created early.
   */
  @Bean
  static IdempotentPostProcessor semelIdempotentPostProcessor(BeanFactory beans) {
    ObjectProvider<ExecutionChoice> executions = beans.getBeanProvider(ExecutionChoice.class);
    IdempotentInterceptor interceptor =
        new IdempotentInterceptor(executions::getObject, () -> defaults(beans));
    return new IdempotentPostProcessor(interceptor, interceptor::prepare);
  }

  private static IdempotentMethod.Defaults defaults(BeanFactory beans) {
    SemelProperties properties = beans.getBean(SemelProperties.class);
    return new IdempotentMethod.Defaults(
        new Tenant(properties.tenant()),
        properties.policy().policy(),
        beans.getBeanProvider(ResultCodecs.class).getIfAvailable(PlainCodecs::new),
        beans);
  }

  /** Only where Jackson is present. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(ObjectMapper.class)
  @ConditionalOnSingleCandidate(ObjectMapper.class)
  static class Json {
    @Bean
    @ConditionalOnMissingBean
    ResultCodecs semelResultCodecs(ObjectMapper mapper) {
      return new JsonCodecs(mapper);
    }
  }
}

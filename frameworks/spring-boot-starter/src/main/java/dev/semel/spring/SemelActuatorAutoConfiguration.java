package dev.semel.spring;

import dev.semel.idempotency.spi.Store;
import dev.semel.spring.internal.MessageStatus;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroupsPostProcessor;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** Configures the actuator endpoint and the health indicator. */
@AutoConfiguration(
    after = SemelAutoConfiguration.class,
    afterName =
        "org.springframework.boot.health.autoconfigure.actuate.endpoint.AvailabilityProbesAutoConfiguration")
@ConditionalOnBooleanProperty(name = "semel.enabled", matchIfMissing = true)
@ConditionalOnBean(Store.class)
public class SemelActuatorAutoConfiguration {
  /** Only where the actuator is present. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
  static class Shown {
    @Bean
    @ConditionalOnAvailableEndpoint(endpoint = SemelEndpoint.class)
    @ConditionalOnMissingBean
    SemelEndpoint semelEndpoint(Store store, ObjectProvider<MessageStatus> messages) {
      return new SemelEndpoint(store, messages.stream().findFirst());
    }
  }

  /** Only where health support is present. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
  @ConditionalOnEnabledHealthIndicator("semel")
  static class Healthy {
    @Bean
    @ConditionalOnMissingBean(name = "semelHealthIndicator")
    HealthIndicator semelHealthIndicator(
        Store store,
        SemelProperties properties,
        ObjectProvider<MessageStatus> messages,
        HealthWatch watch) {
      return new SemelHealthIndicator(
          store,
          messages.stream().findFirst(),
          watch,
          properties.health(),
          properties.policy().onOutage());
    }
  }

  /** Only where Semel's health indicator is enabled. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({
    Endpoint.class,
    HealthEndpointGroupsPostProcessor.class,
    ConditionalOnEnabledHealthIndicator.class
  })
  @ConditionalOnEnabledHealthIndicator("semel")
  static class Grouped {
    @Bean
    static HealthEndpointGroupsPostProcessor semelHealthGroups(Environment environment) {
      boolean readiness = environment.getProperty("semel.health.readiness", Boolean.class, true);
      return new HealthGroups("semel", readiness, environment);
    }
  }
}

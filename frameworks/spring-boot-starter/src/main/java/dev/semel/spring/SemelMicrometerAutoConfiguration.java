package dev.semel.spring;

import dev.semel.idempotency.spi.Store;
import dev.semel.micrometer.ExecutionObservations;
import dev.semel.micrometer.MessageObservations;
import dev.semel.micrometer.MeterSettings;
import dev.semel.micrometer.SemelMeters;
import dev.semel.micrometer.StatusMeters;
import dev.semel.spring.internal.ExecutionTelemetry;
import dev.semel.spring.internal.MessageStatus;
import dev.semel.spring.internal.MicrometerTelemetry;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/** Configures meters and observations where semel-micrometer and a registry are present. */
@AutoConfiguration(
    afterName = {
      "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
      "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration"
    })
@ConditionalOnBooleanProperty(name = "semel.enabled", matchIfMissing = true)
@ConditionalOnBooleanProperty(name = "semel.metrics.enabled", matchIfMissing = true)
@ConditionalOnClass({SemelMeters.class, MeterRegistry.class})
@ConditionalOnBean(MeterRegistry.class)
@EnableConfigurationProperties(SemelProperties.class)
public class SemelMicrometerAutoConfiguration {
  @Bean
  MeterSettings semelMeterSettings(SemelProperties properties) {
    SemelProperties.MetricsProperties metrics = properties.metrics();
    return new MeterSettings(
        metrics.maxOperations(), metrics.maxDestinations(), metrics.sampleEvery());
  }

  @Bean
  @ConditionalOnMissingBean
  SemelMeters semelMeters(MeterRegistry registry, MeterSettings settings) {
    return new SemelMeters(registry, settings);
  }

  @Bean
  ExecutionTelemetry semelTelemetry(
      SemelMeters meters,
      MeterSettings settings,
      SemelProperties properties,
      ObjectProvider<ObservationRegistry> registries) {
    ObservationRegistry registry =
        properties.metrics().observations()
            ? registries.getIfUnique(() -> ObservationRegistry.NOOP)
            : ObservationRegistry.NOOP;
    return new MicrometerTelemetry(
        meters,
        new ExecutionObservations(registry, settings),
        new MessageObservations(registry, settings));
  }

  @Bean(destroyMethod = "close")
  StatusMeters semelStatusMeters(
      MeterRegistry registry,
      MeterSettings settings,
      Store store,
      ObjectProvider<MessageStatus> messages) {
    StatusMeters.Sources sources =
        messages.stream()
            .findFirst()
            .map(status -> new StatusMeters.Sources(store, status.outbox(), status.inbox()))
            .orElseGet(() -> StatusMeters.Sources.of(store));
    return StatusMeters.start(registry, sources, settings);
  }
}

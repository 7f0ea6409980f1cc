package dev.semel.spring.test;

import dev.semel.idempotency.MemoryStore;
import dev.semel.idempotency.spi.Store;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The beans of {@link AutoConfigureSemel}. */
@Configuration(proxyBeanMethods = false)
class SemelTestConfiguration {
  @Bean
  SemelTestFixture semelTestFixture() {
    return new SemelTestFixture();
  }

  @Bean
  Store semelStore(SemelTestFixture fixture) {
    return new MemoryStore(fixture);
  }
}

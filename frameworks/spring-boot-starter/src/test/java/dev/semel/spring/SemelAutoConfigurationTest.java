package dev.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.InvalidInput;
import dev.semel.event.SemelListener;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.MemoryStore;
import dev.semel.idempotency.spi.Store;
import dev.semel.jdbc.SqliteStore;
import dev.semel.micrometer.SemelMeters;
import dev.semel.micrometer.StatusMeters;
import dev.semel.spring.internal.IdempotentPostProcessor;
import dev.semel.spring.internal.UnusableStoreAnalyzer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

class SemelAutoConfigurationTest {
  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(
                  SemelJdbcAutoConfiguration.class,
                  SemelMicrometerAutoConfiguration.class,
                  SemelAutoConfiguration.class,
                  SemelActuatorAutoConfiguration.class));

  @Test
  void withNothingSetAnSqliteFileIsTheStore(@TempDir Path folder) {
    runner
        .withPropertyValues("semel.data=" + folder)
        .run(
            context -> {
              assertThat(context).hasSingleBean(Idempotency.class);
              assertThat(context.getBean(Store.class)).isInstanceOf(SqliteStore.class);
              assertThat(folder.resolve("semel.db")).exists();
            });
  }

  @Test
  void withoutADriverForItTheStartFailsAndMemoryIsOnlyUsedWhereItIsNamed() {
    explained(
        runner.withClassLoader(new FilteredClassLoader("org.sqlite")),
        "semel.data=unused",
        "no DataSource",
        "semel.store=memory:");
  }

  @Test
  void aUrlChoosesTheStore() {
    runner
        .withPropertyValues("semel.store=memory:")
        .run(context -> assertThat(context.getBean(Store.class)).isInstanceOf(MemoryStore.class));
  }

  @Test
  void aBeanOfTheApplicationComesFirst() {
    Store own = new MemoryStore(InstantSource.system());
    runner
        .withPropertyValues("semel.store=redis://nowhere:1")
        .withBean(Store.class, () -> own)
        .run(context -> assertThat(context.getBean(Store.class)).isSameAs(own));
  }

  @Test
  void switchedOffThereIsNothing() {
    runner
        .withPropertyValues("semel.enabled=false")
        .run(
            context -> {
              assertThat(context).doesNotHaveBean(Store.class);
              assertThat(context).doesNotHaveBean(IdempotentPostProcessor.class);
              assertThat(context).doesNotHaveBean(HealthIndicator.class);
            });
  }

  @Test
  void switchedOffAStoreOfTheApplicationIsLeftAlone() {
    runner
        .withPropertyValues("semel.enabled=false")
        .withUserConfiguration(Away.class)
        .run(
            context -> {
              assertThat(context).hasNotFailed();
              assertThat(context).doesNotHaveBean(HealthIndicator.class);
            });
  }

  @Test
  void consumersOfOneNameAreRefusedBecauseOneWouldHearNothing() {
    InboxConsumer orders = new InboxConsumer("ledger", "orders", message -> {});
    InboxConsumer refunds = new InboxConsumer("ledger", "refunds", message -> {});
    assertThatThrownBy(() -> ConsumersLifecycle.requireNames(List.of(orders, refunds)))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("\"ledger\"");
  }

  @Test
  void aUrlOfNoKindIsExplained() {
    explained(
        "semel.store=foo://user:secret@host", "starts with \"foo:\"", "Set semel.store to memory:");
  }

  @Test
  void aRedisUrlThatIsWrongIsExplainedWithoutItsPassword() {
    explained("semel.store=redis://:secret@host:notaport", "not a Redis URL", "redis://host:6379");
  }

  @Test
  void aDatabaseBelongsToSpring() {
    explained("semel.store=postgresql://host/db", "names a database", "set spring.datasource.url");
  }

  private void explained(String property, String description, String action) {
    explained(runner, property, description, action);
  }

  private static void explained(
      ApplicationContextRunner application, String property, String description, String action) {
    application
        .withPropertyValues(property)
        .run(
            context -> {
              assertThat(context).hasFailed();
              FailureAnalysis analysis =
                  Objects.requireNonNull(
                      new UnusableStoreAnalyzer()
                          .analyze(Objects.requireNonNull(context.getStartupFailure())));
              assertThat(analysis.getDescription())
                  .startsWith("Semel has no store")
                  .contains(description)
                  .doesNotContain("secret");
              assertThat(analysis.getAction()).contains(action);
            });
  }

  @Test
  void policiesComeFromProperties() {
    runner
        .withPropertyValues(
            "semel.store=memory:",
            "semel.policy.retention=7d",
            "semel.policy.lease=10s",
            "semel.policy.takeover=run-again",
            "semel.policy.max-response=2KB")
        .run(
            context -> {
              var policy = context.getBean(SemelProperties.class).policy().policy();
              assertThat(policy.retention()).hasDays(7);
              assertThat(policy.lease()).hasSeconds(10);
              assertThat(policy.takeover().name()).isEqualTo("RUN_AGAIN");
              assertThat(policy.maxResponseBytes()).isEqualTo(2048);
            });
  }

  @Test
  void metersAreThereWithARegistryAndOnlyThen() {
    runner
        .withPropertyValues("semel.store=memory:")
        .run(context -> assertThat(context).doesNotHaveBean(SemelMeters.class));
    runner
        .withPropertyValues("semel.store=memory:")
        .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
        .run(
            context -> {
              assertThat(context).hasSingleBean(SemelMeters.class);
              assertThat(context).hasSingleBean(StatusMeters.class);
              assertThat(context.getBean(SemelListener.class)).isInstanceOf(SemelMeters.class);
            });
    runner
        .withPropertyValues("semel.store=memory:", "semel.metrics.enabled=false")
        .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
        .run(context -> assertThat(context).doesNotHaveBean(SemelMeters.class));
    runner
        .withClassLoader(new FilteredClassLoader("dev.semel.micrometer"))
        .withPropertyValues("semel.store=memory:")
        .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
        .run(context -> assertThat(context).hasSingleBean(Idempotency.class));
  }

  @Test
  void healthSaysWhetherTheStoreCanBeAsked(@TempDir Path folder) {
    runner
        .withPropertyValues("semel.store=sqlite:" + folder.resolve("semel.db"))
        .run(
            context -> {
              HealthIndicator health = context.getBean(HealthIndicator.class);
              assertThat(health.health()).extracting(h -> h.getStatus()).isEqualTo(Status.UP);
            });
    runner
        .withUserConfiguration(Away.class)
        .run(
            context -> {
              HealthIndicator health = context.getBean(HealthIndicator.class);
              assertThat(health.health()).extracting(h -> h.getStatus()).isEqualTo(Status.DOWN);
            });
    runner
        .withPropertyValues("semel.store=memory:", "management.health.semel.enabled=false")
        .run(context -> assertThat(context).doesNotHaveBean(HealthIndicator.class));
  }

  @Test
  void theEndpointIsThereWhenItIsExposed() {
    runner
        .withPropertyValues("semel.store=memory:")
        .run(context -> assertThat(context).doesNotHaveBean(SemelEndpoint.class));
    runner
        .withPropertyValues(
            "semel.store=memory:", "management.endpoints.web.exposure.include=semel")
        .run(
            context ->
                assertThat(context.getBean(SemelEndpoint.class).semel())
                    .containsKeys(
                        "store", "active_keys", "activeKeys", "hit_rate", "counts", "operations"));
  }

  @Configuration(proxyBeanMethods = false)
  static class Away {
    @Bean
    Store store() {
      return new StoreAway();
    }
  }
}

package dev.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.idempotency.MemoryStore;
import dev.semel.idempotency.spi.Store;
import dev.semel.jdbc.PostgresStore;
import dev.semel.spring.internal.UnusableStoreAnalyzer;
import dev.semel.testservices.PostgresService;
import dev.semel.testservices.SharedServices;
import dev.semel.testservices.TestDatabase;
import java.util.Objects;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

/** An application with two databases, neither of them primary. */
@Tag("service")
@ExtendWith(SharedServices.class)
final class TwoDataSourcesTest {
  private TestDatabase orders;
  private TestDatabase archive;
  private ApplicationContextRunner runner;

  /** The application's code, which writes to the orders. */
  static class Orders {
    private final DataSource source;

    Orders(DataSource source) {
      this.source = source;
    }

    @Idempotent(key = "#id", mode = Idempotent.Mode.SAME_TRANSACTION)
    public String place(String id, boolean fails) {
      new JdbcTemplate(source).update("INSERT INTO placed (id) VALUES (?)", id);
      if (fails) {
        throw new IllegalStateException("after the order");
      }
      return "placed";
    }
  }

  @BeforeEach
  void create(PostgresService postgres) {
    orders = postgres.freshDatabase();
    archive = postgres.freshDatabase();
    new JdbcTemplate(orders.dataSource()).execute("CREATE TABLE placed (id text NOT NULL)");
    runner =
        new ApplicationContextRunner()
            .withConfiguration(
                AutoConfigurations.of(
                    SemelJdbcAutoConfiguration.class, SemelAutoConfiguration.class))
            .withBean("archive", DataSource.class, archive::dataSource)
            .withBean("orders", DataSource.class, orders::dataSource);
  }

  private static FailureAnalysis failure(AssertableApplicationContext context) {
    assertThat(context).hasFailed();
    return Objects.requireNonNull(
        new UnusableStoreAnalyzer().analyze(Objects.requireNonNull(context.getStartupFailure())));
  }

  @Test
  void withoutAWordWhichTheStartFails() {
    runner.run(
        context -> {
          FailureAnalysis failure = failure(context);
          assertThat(failure.getDescription()).contains("archive, orders", "none of them");
          assertThat(failure.getAction()).contains("semel.datasource", "@Primary");
        });
    runner
        .withPropertyValues("semel.datasource=order")
        .run(
            context ->
                assertThat(failure(context).getDescription())
                    .contains("semel.datasource", "\"order\"", "archive, orders"));
  }

  @Test
  void recordsMayBeElsewhereThen() {
    runner
        .withPropertyValues("semel.store=memory:")
        .run(context -> assertThat(context.getBean(Store.class)).isInstanceOf(MemoryStore.class));
  }

  /** One transaction manager for each database, as an application must declare. */
  @Configuration(proxyBeanMethods = false)
  static class Transactions {
    @Bean
    PlatformTransactionManager archiving(@Qualifier("archive") DataSource source) {
      return new JdbcTransactionManager(source);
    }

    @Bean
    PlatformTransactionManager ordering(@Qualifier("orders") DataSource source) {
      return new JdbcTransactionManager(source);
    }

    @Bean
    Orders place(@Qualifier("orders") DataSource source) {
      return new Orders(source);
    }
  }

  @Test
  void theNamedOneIsUsedAndItsTransactions() {
    runner
        .withPropertyValues("semel.datasource=orders")
        .withUserConfiguration(Transactions.class)
        .run(
            context -> {
              assertThat(context.getBean(Store.class)).isInstanceOf(PostgresStore.class);
              Orders bean = context.getBean(Orders.class);
              assertThatThrownBy(() -> bean.place("o-1", true)).hasMessage("after the order");
              assertThat(placed()).as("rolled back with its record").isZero();
              assertThat(bean.place("o-2", false)).isEqualTo(bean.place("o-2", false));
              assertThat(placed()).isEqualTo(1);
            });
  }

  @Test
  void transactionsOfTheOtherAreNotTakenForIts() {
    runner
        .withPropertyValues("semel.datasource=orders")
        .withBean(
            PlatformTransactionManager.class,
            () -> new JdbcTransactionManager(archive.dataSource()))
        .withBean(Orders.class, () -> new Orders(orders.dataSource()))
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .rootCause()
                    .hasMessageContaining("needs PostgreSQL")
                    .hasMessageContaining("semel.datasource"));
  }

  private long placed() {
    Long count =
        new JdbcTemplate(orders.dataSource())
            .queryForObject("SELECT count(*) FROM placed", Long.class);
    return count == null ? 0 : count;
  }
}

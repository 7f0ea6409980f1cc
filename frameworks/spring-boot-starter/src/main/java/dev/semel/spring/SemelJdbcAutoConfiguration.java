package dev.semel.spring;

import dev.semel.InvalidInput;
import dev.semel.event.SemelListener;
import dev.semel.idempotency.Idempotency;
import dev.semel.inbox.ConsumerCounts;
import dev.semel.inbox.DeadLetters;
import dev.semel.inbox.spi.InboxOperations;
import dev.semel.internal.PrintableText;
import dev.semel.jdbc.OutboxSettings;
import dev.semel.jdbc.PostgresStore;
import dev.semel.jdbc.SchemaSetup;
import dev.semel.outbox.Relay;
import dev.semel.outbox.RelayListener;
import dev.semel.outbox.spi.OutboxOperations;
import dev.semel.spring.internal.BoundConnections;
import dev.semel.spring.internal.ExecutionTelemetry;
import dev.semel.spring.internal.MessageStatus;
import dev.semel.spring.internal.SemelDatabase;
import dev.semel.spring.internal.UnusableStore;
import dev.semel.transport.Transport;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.util.function.SingletonSupplier;

/**
 * Configures everything that needs the application's DataSource: same-transaction mode, outbox and
 * inbox. Of several DataSources it uses the one named by {@code semel.datasource}, or the primary
 * one.
 */
@AutoConfiguration(
    afterName = {
      "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
      "org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration",
      "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration",
      "org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration"
    })
@ConditionalOnBooleanProperty(name = "semel.enabled", matchIfMissing = true)
@ConditionalOnClass({PostgresStore.class, DataSourceUtils.class, PlatformTransactionManager.class})
@Conditional(SemelJdbcAutoConfiguration.OneDataSource.class)
@EnableConfigurationProperties(SemelProperties.class)
public class SemelJdbcAutoConfiguration {
  /** Matches if a DataSource is named, or only one candidate exists. */
  static final class OneDataSource extends AnyNestedCondition {
    OneDataSource() {
      super(ConfigurationPhase.REGISTER_BEAN);
    }

    @ConditionalOnProperty("semel.datasource")
    static final class Named {}

    @ConditionalOnSingleCandidate(DataSource.class)
    static final class Single {}
  }

  @Bean
  BoundConnections semelBoundConnections(
      SemelProperties properties, ListableBeanFactory beans, ObjectProvider<DataSource> sources) {
    String name = properties.datasource();
    if (name == null || name.isBlank()) {
      return new BoundConnections(sources.getObject());
    }
    if (!beans.containsBean(name) || !beans.isTypeMatch(name, DataSource.class)) {
      throw new UnusableStore(
          "semel.datasource names %s, but the beans of the type DataSource are %s"
              .formatted(
                  PrintableText.quoted(name),
                  String.join(", ", beans.getBeanNamesForType(DataSource.class, true, false))),
          "Set semel.datasource to the name of one of them.");
    }
    return new BoundConnections(beans.getBean(name, DataSource.class));
  }

  @Bean
  SemelDatabase semelDatabase(
      BoundConnections connections,
      SemelProperties properties,
      ObjectProvider<PlatformTransactionManager> managers) {
    SchemaSetup setup =
        switch (properties.schema()) {
          case CREATE -> SchemaSetup.CREATE;
          case CHECK -> SchemaSetup.CHECK;
        };
    return new SemelDatabase(connections, setup, connections.manager(managers));
  }

  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  TransactionalOutbox semelOutbox(
      SemelDatabase database,
      BoundConnections connections,
      SemelProperties properties,
      ObjectProvider<ExecutionTelemetry> telemetries,
      ObjectProvider<Transport> transports) {
    ExecutionTelemetry telemetry = telemetries.getIfAvailable(() -> ExecutionTelemetry.NONE);
    // Resolved later, because a Transport bean may depend on this one.
    Supplier<String> system = SingletonSupplier.of(() -> system(transports));
    OutboxSettings settings =
        new OutboxSettings(
            Math.toIntExact(properties.outbox().maxPayload().toBytes()),
            properties.outbox().keepHistory());
    return new TransactionalOutbox(
        database.outbox(settings),
        connections,
        database.product(),
        message -> telemetry.created(system.get(), message));
  }

  /** The messaging system that messages will go to, as far as this process knows. */
  private static String system(ObjectProvider<Transport> transports) {
    Transport transport = transports.getIfUnique();
    return transport == null ? "semel" : transport.system();
  }

  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  TransactionalInbox semelInbox(SemelDatabase database, BoundConnections connections) {
    return new TransactionalInbox(database.inbox(), connections, database.product());
  }

  @Bean
  @ConditionalOnBean(Transport.class)
  @ConditionalOnBooleanProperty(name = "semel.relay.enabled", matchIfMissing = true)
  RelayLifecycle semelRelay(
      TransactionalOutbox outbox,
      Transport transport,
      SemelProperties properties,
      Idempotency idempotency,
      HealthWatch watch,
      ObjectProvider<ExecutionTelemetry> telemetries) {
    ExecutionTelemetry telemetry = telemetries.getIfAvailable(() -> ExecutionTelemetry.NONE);
    return new RelayLifecycle(
        outbox.unbound().store(),
        telemetry.observing(transport),
        properties.relay().settings(),
        watch.and(RelayListener.to(idempotency.listener())));
  }

  @Bean
  @ConditionalOnBean(Transport.class)
  @ConditionalOnMissingBean
  DeadLetters semelDeadLetters(
      Transport transport,
      SemelProperties properties,
      ObjectProvider<ExecutionTelemetry> telemetries) {
    ExecutionTelemetry telemetry = telemetries.getIfAvailable(() -> ExecutionTelemetry.NONE);
    return DeadLetters.to(telemetry.observing(transport), properties.consumer().deadLetters());
  }

  @Bean
  @ConditionalOnBean({Transport.class, InboxConsumer.class, PlatformTransactionManager.class})
  @ConditionalOnBooleanProperty(name = "semel.consumer.enabled", matchIfMissing = true)
  ConsumersLifecycle semelConsumers(
      Transport transport,
      TransactionalInbox inbox,
      BoundConnections connections,
      ObjectProvider<PlatformTransactionManager> managers,
      DeadLetters deadLetters,
      SemelProperties properties,
      Idempotency idempotency,
      HealthWatch watch,
      ObjectProvider<ExecutionTelemetry> telemetries,
      List<InboxConsumer> consumers) {
    PlatformTransactionManager manager =
        connections
            .manager(managers)
            .orElseThrow(
                () ->
                    new InvalidInput(
                        "beans of the type InboxConsumer need one transaction manager for the DataSource that Semel uses: give it one, or mark the one that is meant with @Primary; semel.datasource names another DataSource"));
    SemelListener listener = idempotency.listener();
    ExecutionTelemetry telemetry = telemetries.getIfAvailable(() -> ExecutionTelemetry.NONE);
    return new ConsumersLifecycle(
        new ConsumersLifecycle.Setup(
            transport,
            inbox,
            manager,
            deadLetters,
            properties.consumer().settings(),
            listener,
            watch,
            (consumer, message, body) ->
                telemetry.processed(transport.system(), consumer, message, body)),
        consumers);
  }

  @Bean
  MessageStatus semelMessageStatus(
      TransactionalOutbox outbox,
      TransactionalInbox inbox,
      ObjectProvider<RelayLifecycle> relays,
      ObjectProvider<ConsumersLifecycle> consumers) {
    return new MessageStatus() {
      @Override
      public Optional<OutboxOperations> outbox() {
        return outbox.operations();
      }

      @Override
      public Optional<InboxOperations> inbox() {
        return inbox.operations();
      }

      @Override
      public Optional<Relay> relay() {
        return relays.stream().findFirst().flatMap(RelayLifecycle::relay);
      }

      @Override
      public Map<String, ConsumerCounts> consumers() {
        return consumers.stream().findFirst().map(ConsumersLifecycle::counts).orElse(Map.of());
      }
    };
  }
}

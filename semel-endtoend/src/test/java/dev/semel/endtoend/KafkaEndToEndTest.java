package dev.semel.endtoend;

import static org.awaitility.Awaitility.await;

import dev.semel.StoreException;
import dev.semel.kafka.KafkaSettings;
import dev.semel.kafka.KafkaTransport;
import dev.semel.kafka.TopicSettings;
import dev.semel.testservices.KafkaService;
import dev.semel.testservices.PostgresService;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class KafkaEndToEndTest extends EndToEnd {
  /** A member that died is given up after its lease, and a transaction soon after. */
  static final ShopBroker BROKER =
      (address, shop) ->
          connect(
              KafkaSettings.of(address)
                  .withTopics(TopicSettings.of(4).withReplicas(1, 1))
                  .withPublishTimeout(Duration.ofSeconds(3))
                  .withOption("session.timeout.ms", Long.toString(ShopProcess.LEASE.toMillis()))
                  .withOption("heartbeat.interval.ms", "400"));

  @Test
  @Tag("proof")
  void everyOrderTakesEffectOnce(PostgresService postgres) {
    runFew(postgres);
  }

  /** A process that finds no broker when it starts would be started again. */
  static KafkaTransport connect(KafkaSettings settings) {
    return await()
        .atMost(Duration.ofMinutes(2))
        .ignoreExceptionsInstanceOf(StoreException.class)
        .until(() -> KafkaTransport.connect(settings), transport -> true);
  }

  @Override
  protected BrokerService startBroker() {
    return broker(KafkaService.start());
  }

  static BrokerService broker(KafkaService kafka) {
    return new BrokerService() {
      @Override
      public String address() {
        return kafka.url();
      }

      @Override
      public void crash() {
        kafka.kill();
        kafka.restart();
      }

      @Override
      public void close() {
        kafka.close();
      }
    };
  }

  @Override
  protected ShopBroker broker() {
    return BROKER;
  }

  @Override
  protected Class<?> process() {
    return Child.class;
  }

  /** A relay or a consumer. */
  static final class Child {
    private Child() {}

    public static void main(String[] arguments) throws Exception {
      ShopProcess.run(BROKER, arguments);
    }
  }
}

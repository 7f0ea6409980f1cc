package dev.semel.endtoend;

import dev.semel.Ids;
import dev.semel.kafka.KafkaSettings;
import dev.semel.kafka.TopicSettings;
import dev.semel.testservices.KafkaService;
import java.time.Duration;

/** The same with relays whose batches are transactions; in the second ring only. */
final class KafkaTransactionsEndToEndTest extends EndToEnd {
  private static final ShopBroker BROKER =
      (address, shop) ->
          KafkaEndToEndTest.connect(
              KafkaSettings.of(address)
                  .withTopics(TopicSettings.of(4).withReplicas(1, 1))
                  .withPublishTimeout(Duration.ofSeconds(3))
                  .withTransactions("relay-" + Ids.uuid7())
                  .withOption("transaction.timeout.ms", "5000")
                  .withOption("session.timeout.ms", Long.toString(ShopProcess.LEASE.toMillis()))
                  .withOption("heartbeat.interval.ms", "400"));

  @Override
  protected BrokerService startBroker() {
    return KafkaEndToEndTest.broker(KafkaService.start());
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

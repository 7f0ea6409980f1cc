package dev.semel.kafka;

import dev.semel.Ids;
import dev.semel.endtoend.BrokerService;
import dev.semel.endtoend.EndToEnd;
import dev.semel.endtoend.ShopBroker;
import dev.semel.endtoend.ShopProcess;
import dev.semel.testservices.KafkaService;
import java.time.Duration;

/** The same with relays whose batches are transactions; in the second ring only. */
final class TransactionsEndToEndTest extends EndToEnd {
  private static final ShopBroker BROKER =
      (address, shop) ->
          EndToEndTest.connect(
              KafkaSettings.of(address)
                  .withTopics(TopicSettings.of(4).withReplicas(1, 1))
                  .withPublishTimeout(Duration.ofSeconds(3))
                  .withTransactions("relay-" + Ids.uuid7())
                  .withOption("transaction.timeout.ms", "5000")
                  .withOption("session.timeout.ms", Long.toString(ShopProcess.LEASE.toMillis()))
                  .withOption("heartbeat.interval.ms", "400"));

  @Override
  protected BrokerService startBroker() {
    return EndToEndTest.broker(KafkaService.start());
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

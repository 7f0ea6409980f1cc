package dev.semel.kafka;

import dev.semel.tck.messages.TransportContract;
import dev.semel.tck.messages.TransportUnderTest;
import dev.semel.testservices.KafkaService;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

@Tag("service")
final class KafkaContractTest extends TransportContract {
  @SuppressWarnings("NullAway.Init")
  private static KafkaService kafka;

  @SuppressWarnings("NullAway.Init")
  private static KafkaUnderTest underTest;

  @BeforeAll
  static void start() {
    kafka = KafkaUnderTest.start();
    underTest = new KafkaUnderTest(kafka);
  }

  @AfterAll
  static void stop() {
    underTest.close();
    kafka.close();
  }

  @Override
  protected TransportUnderTest underTest() {
    return underTest;
  }
}

package dev.semel.rabbitmq;

import dev.semel.tck.messages.TransportContract;
import dev.semel.tck.messages.TransportUnderTest;
import dev.semel.testservices.RabbitService;
import dev.semel.testservices.SharedServices;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

@Tag("service")
@ExtendWith(SharedServices.class)
final class QueueContractTest extends TransportContract {
  @SuppressWarnings("NullAway.Init")
  private static QueuesUnderTest underTest;

  @BeforeAll
  static void start(RabbitService rabbit) {
    underTest = new QueuesUnderTest(rabbit);
  }

  @AfterAll
  static void stop() {
    underTest.close();
  }

  @Override
  protected TransportUnderTest underTest() {
    return underTest;
  }
}

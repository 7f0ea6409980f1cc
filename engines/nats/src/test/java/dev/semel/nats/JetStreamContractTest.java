package dev.semel.nats;

import dev.semel.tck.messages.TransportContract;
import dev.semel.tck.messages.TransportUnderTest;
import dev.semel.testservices.NatsService;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

@Tag("service")
final class JetStreamContractTest extends TransportContract {
  @SuppressWarnings("NullAway.Init")
  private static NatsService nats;

  @SuppressWarnings("NullAway.Init")
  private static JetStreamUnderTest underTest;

  @BeforeAll
  static void start() {
    nats = JetStreamUnderTest.start();
    underTest = new JetStreamUnderTest(nats);
  }

  @AfterAll
  static void stop() {
    underTest.close();
    nats.close();
  }

  @Override
  protected TransportUnderTest underTest() {
    return underTest;
  }
}

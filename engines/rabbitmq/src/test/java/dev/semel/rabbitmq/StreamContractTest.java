package dev.semel.rabbitmq;

import dev.semel.tck.messages.TransportContract;
import dev.semel.tck.messages.TransportUnderTest;
import dev.semel.testservices.RabbitService;
import dev.semel.testservices.SharedServices;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@Tag("service")
@ExtendWith(SharedServices.class)
final class StreamContractTest extends TransportContract {
  @TempDir
  @SuppressWarnings("NullAway.Init")
  private static Path folder;

  @SuppressWarnings("NullAway.Init")
  private static StreamsUnderTest underTest;

  @BeforeAll
  static void start(RabbitService rabbit) {
    underTest = new StreamsUnderTest(rabbit, folder);
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

package dev.semel.nats;

import dev.semel.tck.messages.TransportContract;
import dev.semel.tck.messages.TransportUnderTest;
import dev.semel.testservices.NatsClusterService;
import dev.semel.transport.Transport;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The transport's contract with three replicas. {@link JetStreamClusterTest} kills servers. */
@Tag("proof")
final class JetStreamClusterContractTest extends TransportContract {
  /** The server's default limit. */
  private static final int MAX_PAYLOAD = 1 << 20;

  @SuppressWarnings("NullAway.Init")
  private static NatsClusterService cluster;

  @SuppressWarnings("NullAway.Init")
  private static JetStreamUnderTest underTest;

  @BeforeAll
  static void start() {
    cluster = NatsClusterService.start();
    underTest =
        new JetStreamUnderTest(
            JetStreamSettings.of(cluster.urls(), JetStreamUnderTest.stream().withReplicas(3)));
  }

  @AfterAll
  static void stop() {
    underTest.close();
    cluster.close();
  }

  @Override
  protected TransportUnderTest underTest() {
    return new TransportUnderTest() {
      @Override
      public Transport transport() {
        return underTest.transport();
      }

      @Override
      public Optional<String> unknownDestination() {
        return underTest.unknownDestination();
      }

      @Override
      public int tooManyBytes() {
        return MAX_PAYLOAD;
      }

      // False: other servers learn a moment later that a reader is gone.
      @Override
      public boolean givesBackAtOnce() {
        return false;
      }
    };
  }
}

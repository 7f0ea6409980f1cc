package dev.semel.tck;

import static dev.semel.tck.messages.TransportCalls.receive;
import static dev.semel.tck.messages.TransportCalls.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.semel.StoreException;
import dev.semel.loop.Platform;
import dev.semel.tck.messages.TransportContract;
import dev.semel.tck.messages.TransportUnderTest;
import dev.semel.transport.MemoryTransport;
import dev.semel.transport.MemoryTransportSettings;
import dev.semel.transport.Message;
import dev.semel.transport.PublishFailed;
import dev.semel.transport.PublishFailed.Kind;
import dev.semel.transport.Transport;
import dev.semel.transport.spi.Subscription;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

final class MemoryTransportTest extends TransportContract {
  private static final int MAX_BYTES = 100_000;
  private static final String DESTINATION = "contract.one";

  private final Transport transport =
      with(
          MemoryTransportSettings.defaults()
              .withDestinations(Set.of(DESTINATION))
              .withMaxMessageBytes(MAX_BYTES));

  private static Transport with(MemoryTransportSettings settings) {
    return new MemoryTransport(Platform.REAL, settings);
  }

  @Override
  protected TransportUnderTest underTest() {
    return new TransportUnderTest() {
      @Override
      public Transport transport() {
        return transport;
      }

      @Override
      public String freshDestination() {
        return DESTINATION;
      }

      @Override
      public Optional<String> unknownDestination() {
        return Optional.of("contract.none");
      }

      @Override
      public int tooManyBytes() {
        return MAX_BYTES + 1;
      }
    };
  }

  @Nested
  class InMemory {
    private final Message one = Message.of("d", "1");
    private final Message two = Message.of("d", "2");

    @Test
    void whatIsFullIsBusyUntilSomethingIsAcknowledged() throws InterruptedException {
      Transport small = with(MemoryTransportSettings.defaults().withMaxMessages(1));
      publish(small, one);
      assertThat(catchThrowableOfType(PublishFailed.class, () -> publish(small, two)).kind())
          .isEqualTo(Kind.BUSY);
      assertThat(publish(small, one).duplicate()).isTrue();
      receiveOne(small.subscribe("d", "c", patient())).acknowledge();
      assertThat(publish(small, two).duplicate()).isFalse();
    }

    @Test
    void onlyTheLastIdsAreKnown() {
      Transport forgetful = with(MemoryTransportSettings.defaults().withMaxKnownIds(1));
      publish(forgetful, one);
      publish(forgetful, two);
      assertThat(publish(forgetful, two).duplicate()).isTrue();
      assertThat(publish(forgetful, one).duplicate()).isFalse();
    }

    @Test
    void whoeverComesLaterGetsWhatIsStillThere() throws InterruptedException {
      Transport plain = new MemoryTransport();
      publish(plain, one);
      publish(plain, two);
      try (Subscription first = plain.subscribe("d", "first", patient())) {
        receiveOne(first).acknowledge();
        assertThat(texts(receive(plain.subscribe("d", "second", patient()), 1)))
            .containsExactly("2");
      }
    }

    @Test
    void aClosedOneTakesAndGivesNothing() throws InterruptedException {
      Transport closed = new MemoryTransport();
      publish(closed, one);
      Subscription reader = closed.subscribe("d", "c", patient());
      var delivery = receiveOne(reader);
      closed.close();
      assertThat(catchThrowableOfType(PublishFailed.class, () -> publish(closed, one)).kind())
          .isEqualTo(Kind.UNREACHABLE);
      assertThatThrownBy(() -> reader.receive(1, Duration.ZERO)).isInstanceOf(StoreException.class);
      assertThatThrownBy(delivery::acknowledge).isInstanceOf(StoreException.class);
    }
  }
}

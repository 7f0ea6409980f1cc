package dev.semel.tck.messages;

import static dev.semel.tck.messages.TransportCalls.receive;
import static dev.semel.tck.messages.TransportCalls.texts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.transport.Message;
import dev.semel.transport.PublishResult;
import dev.semel.transport.SubscribeSettings;
import dev.semel.transport.Transport;
import dev.semel.transport.spi.Delivery;
import dev.semel.transport.spi.Subscription;
import java.time.Duration;

/** Helpers that the tests of transports share. */
public abstract class TransportWords {
  /** Long enough for an unexpected message to arrive. */
  static final Duration MOMENT = Duration.ofMillis(150);

  protected abstract TransportUnderTest underTest();

  Transport transport() {
    return underTest().transport();
  }

  /** Settings with which nothing is redelivered during a test. */
  public static SubscribeSettings patient() {
    return SubscribeSettings.defaults().withRuns(false).withAckWithin(Duration.ofMinutes(5));
  }

  SubscribeSettings hasty() {
    return SubscribeSettings.defaults().withRuns(false).withAckWithin(underTest().ackWithin());
  }

  PublishResult publish(Message message) {
    return publish(transport(), message);
  }

  public static PublishResult publish(Transport transport, Message message) {
    return TransportCalls.get(transport.publish(message));
  }

  static Message message(String destination, String text) {
    return Message.of(destination, text);
  }

  public static Delivery receiveOne(Subscription from) throws InterruptedException {
    return receive(from, 1).getFirst();
  }

  static void assertNothingComes(Subscription from) throws InterruptedException {
    assertThat(texts(from.receive(10, MOMENT))).isEmpty();
  }
}

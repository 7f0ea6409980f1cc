package dev.semel.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.semel.transport.Delivery;
import dev.semel.transport.Message;
import dev.semel.transport.PublishFailed;
import dev.semel.transport.Published;
import dev.semel.transport.SubscribeSettings;
import dev.semel.transport.Subscription;
import dev.semel.transport.Transport;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The words that the tests of transports share. */
abstract class TransportWords {
  /** What must come comes before that, however slow the machine. */
  static final Duration LIMIT = Duration.ofSeconds(30);

  /** Long enough for what must not come to show itself. */
  static final Duration MOMENT = Duration.ofMillis(150);

  protected abstract TransportUnderTest underTest();

  Transport transport() {
    return underTest().transport();
  }

  /** Nothing comes again during a test. */
  static SubscribeSettings patient() {
    return SubscribeSettings.defaults().withRuns(false).withAckWithin(Duration.ofMinutes(5));
  }

  SubscribeSettings hasty() {
    return SubscribeSettings.defaults().withRuns(false).withAckWithin(underTest().ackWithin());
  }

  Published publish(Message message) {
    return publish(transport(), message);
  }

  static Published publish(Transport transport, Message message) {
    return answer(transport.publish(message));
  }

  static Published answer(CompletionStage<Published> sent) {
    try {
      return sent.toCompletableFuture().get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof PublishFailed failed) {
        throw failed;
      }
      throw new AssertionError("a failure of another kind", e.getCause());
    } catch (TimeoutException e) {
      throw new AssertionError("neither confirmed nor failed", e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  static Message message(String destination, String text) {
    return Message.of(destination, text);
  }

  static String text(Delivery delivery) {
    return new String(delivery.message().payload(), StandardCharsets.UTF_8);
  }

  static List<String> texts(List<Delivery> deliveries) {
    return deliveries.stream().map(TransportWords::text).toList();
  }

  /** So many, or it fails. */
  static List<Delivery> receive(Subscription from, int count) throws InterruptedException {
    List<Delivery> got = new ArrayList<>();
    long start = System.nanoTime();
    while (got.size() < count) {
      got.addAll(from.receive(count - got.size(), Duration.ofSeconds(1)));
      if (System.nanoTime() - start > LIMIT.toNanos()) {
        fail("only %d of %d came: %s", got.size(), count, texts(got));
      }
    }
    return got;
  }

  static Delivery receiveOne(Subscription from) throws InterruptedException {
    return receive(from, 1).getFirst();
  }

  static void assertNothingComes(Subscription from) throws InterruptedException {
    assertThat(texts(from.receive(10, MOMENT))).isEmpty();
  }
}

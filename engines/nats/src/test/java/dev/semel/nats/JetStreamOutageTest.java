package dev.semel.nats;

import static dev.semel.tck.messages.TransportCalls.LIMIT;
import static dev.semel.tck.messages.TransportCalls.get;
import static dev.semel.tck.messages.TransportCalls.receiveAtLast;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.semel.StoreException;
import dev.semel.tck.LoopWatch;
import dev.semel.testservices.NatsService;
import dev.semel.transport.Message;
import dev.semel.transport.PublishFailed;
import dev.semel.transport.PublishFailed.Kind;
import dev.semel.transport.PublishResult;
import dev.semel.transport.SubscribeSettings;
import dev.semel.transport.spi.Delivery;
import dev.semel.transport.spi.Subscription;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each test has a separate server, which it restarts or freezes. */
@Tag("service")
final class JetStreamOutageTest {
  private static final String DESTINATION = "orders.created";

  private static StreamSettings settings() {
    return StreamSettings.of("ORDERS", "orders.>");
  }

  private static Message message(String text) {
    return Message.of(DESTINATION, text);
  }

  @Test
  void publishingGoesOnOverRestartsAndEverythingIsThereOnce() throws Exception {
    try (NatsService own = NatsService.start()) {
      int count = 2000;
      try (JetStreamTransport transport =
          JetStreamTransport.connect(JetStreamUnderTest.settings(own, settings()))) {
        Map<Message, CompletionStage<PublishResult>> open = new HashMap<>();
        List<Message> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
          Message message = message("m" + i).withIdOf("order-" + i + "-v1");
          all.add(message);
          open.put(message, transport.publish(message));
          if (i == count / 3 || i == 2 * count / 3) {
            own.restart();
          }
        }
        int failures = 0;
        long start = System.nanoTime();
        while (!open.isEmpty() && System.nanoTime() - start < LIMIT.toNanos()) {
          Map<Message, CompletionStage<PublishResult>> again = new HashMap<>();
          for (Map.Entry<Message, CompletionStage<PublishResult>> sent : open.entrySet()) {
            try {
              get(sent.getValue());
            } catch (PublishFailed e) {
              assertThat(e.kind()).isNotEqualTo(Kind.REFUSED);
              failures++;
              again.put(sent.getKey(), transport.publish(sent.getKey()));
            }
          }
          open = again;
        }
        assertThat(open).isEmpty();
        assertThat(failures).as("restarts must have been noticed").isPositive();
        try (Subscription reader =
            transport.subscribe(
                DESTINATION, "c", SubscribeSettings.defaults().withMaxUnacknowledged(5000))) {
          List<String> ids = new ArrayList<>();
          while (ids.size() < count) {
            List<Delivery> got = receiveAtLast(reader, Math.min(500, count - ids.size()));
            assertThat(got).isNotEmpty();
            reader.acknowledge(got);
            got.forEach(delivery -> ids.add(delivery.message().id()));
          }
          assertThat(ids)
              .containsExactlyInAnyOrderElementsOf(all.stream().map(Message::id).toList());
          assertThat(reader.lag()).isZero();
        }
      }
    }
  }

  @Test
  void anAnswerThatWasLostIsFoundAsADuplicate() {
    try (NatsService own = NatsService.start()) {
      JetStreamSettings hasty =
          JetStreamSettings.of(own.url(), settings()).withPublishTimeout(Duration.ofMillis(400));
      try (JetStreamTransport transport = JetStreamTransport.connect(hasty)) {
        Message message = message("slow");
        own.freeze();
        PublishFailed failed =
            catchThrowableOfType(PublishFailed.class, () -> get(transport.publish(message)));
        own.thaw();
        assertThat(failed.kind()).isEqualTo(Kind.UNREACHABLE);
        assertThat(get(transport.publish(message)).duplicate()).isTrue();
      }
    }
  }

  @Test
  void whatIsInHandOverARestartIsAcknowledgedAfterIt() throws InterruptedException {
    try (NatsService own = NatsService.start()) {
      try (JetStreamTransport transport =
              JetStreamTransport.connect(JetStreamUnderTest.settings(own, settings()));
          Subscription reader =
              transport.subscribe(DESTINATION, "c", SubscribeSettings.defaults())) {
        get(transport.publish(message("1").withOrderingKey("k")));
        get(transport.publish(message("2").withOrderingKey("k")));
        List<Delivery> first = receiveAtLast(reader, 1);
        own.stop(); // a killed server may not remember its deliveries
        own.restart();
        long start = System.nanoTime();
        while (!acknowledged(reader, first)) {
          assertThat(System.nanoTime() - start).isLessThan(LIMIT.toNanos());
        }
        assertThat(
                new String(
                    receiveAtLast(reader, 1).getFirst().message().payload(),
                    StandardCharsets.UTF_8))
            .isEqualTo("2");
      }
    }
  }

  private static boolean acknowledged(Subscription reader, List<Delivery> deliveries) {
    try {
      reader.acknowledge(deliveries);
      return true;
    } catch (StoreException e) {
      return false;
    }
  }

  @Test
  void aServerThatIsAwayIsAskedAfterPauses() throws Exception {
    try (NatsService own = NatsService.start();
        JetStreamTransport transport =
            JetStreamTransport.connect(JetStreamUnderTest.settings(own, settings()))) {
      LoopWatch watch = LoopWatch.of("semel-nats-link");
      own.kill();
      try (ServerSocket deaf = new ServerSocket(own.port(), 50, InetAddress.getLoopbackAddress())) {
        deaf.accept().close();
        long first = System.nanoTime();
        for (int tries = 0; tries < 5; tries++) {
          deaf.accept().close();
        }
        assertThat(Duration.ofNanos(System.nanoTime() - first))
            .as("pauses that begin with 25 ms and double")
            .isGreaterThan(Duration.ofMillis(300));
      }
      await().untilAsserted(watch::assertTold);
      assertThat(transport.describe()).isNotEmpty();
    }
  }
}

package dev.semel.rabbitmq;

import static dev.semel.tck.messages.TransportCalls.LIMIT;
import static dev.semel.tck.messages.TransportCalls.get;
import static dev.semel.tck.messages.TransportCalls.receiveAtLast;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import dev.semel.StoreException;
import dev.semel.internal.Ids;
import dev.semel.testservices.RabbitService;
import dev.semel.testservices.SharedServices;
import dev.semel.transport.Message;
import dev.semel.transport.PublishFailed;
import dev.semel.transport.PublishFailed.Kind;
import dev.semel.transport.SubscribeSettings;
import dev.semel.transport.spi.Delivery;
import dev.semel.transport.spi.Subscription;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.extension.ExtendWith;

@Tag("service")
@ExtendWith(SharedServices.class)
final class RabbitTransportTest {
  private final String destination = "test." + Ids.uuid7();

  private static RabbitTransport connect(RabbitSettings settings) {
    return RabbitTransport.connect(settings);
  }

  private Message message(String text) {
    return Message.of(destination, text);
  }

  private Subscription subscribe(RabbitTransport transport, String consumer) {
    return transport.subscribe(destination, consumer, SubscribeSettings.defaults());
  }

  private static Kind kind(RabbitTransport transport, Message message) {
    return catchThrowableOfType(PublishFailed.class, () -> get(transport.publish(message))).kind();
  }

  private interface Step {
    void run(com.rabbitmq.client.Channel channel) throws Exception;
  }

  private static void bare(RabbitService rabbit, Step step) throws Exception {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setUri(rabbit.url());
    try (Connection connection = factory.newConnection()) {
      step.run(connection.createChannel());
    }
  }

  @Test
  void aWrongPasswordIsSaidWithoutShowingIt(RabbitService rabbit) {
    String url = rabbit.url().replace("guest:guest", "guest:opensesame");
    assertThatThrownBy(() -> connect(RabbitSettings.of(url)))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("ACCESS_REFUSED")
        .hasMessageContaining("guest")
        .hasStackTraceContaining("semel")
        .satisfies(e -> assertThat(stack(e)).doesNotContain("opensesame"));
  }

  private static String stack(Throwable failure) {
    StringWriter text = new StringWriter();
    failure.printStackTrace(new PrintWriter(text));
    return text.toString();
  }

  @Test
  void aMissingVirtualHostIsSaid(RabbitService rabbit) {
    String url = rabbit.url().replace("%2f", "nowhere");
    assertThatThrownBy(() -> connect(RabbitSettings.of(url)))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("nowhere");
  }

  @Test
  void anotherNumberOfPartitionsIsRefused(RabbitService rabbit) {
    RabbitSettings settings = QueuesUnderTest.settings(rabbit).withDestination(destination, "c");
    connect(settings).close();
    assertThatThrownBy(() -> connect(settings.withPartitions(3)))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("PRECONDITION_FAILED")
        .hasMessageContaining("3 partitions");
    connect(settings.verifyOnly()).close();
  }

  @Test
  void aQueueThatIsNotReplicatedIsRefused(RabbitService rabbit) throws Exception {
    String queue = RabbitNames.queue(destination, "c", "0");
    Map<String, Object> single = Map.of("x-single-active-consumer", true);
    bare(rabbit, channel -> channel.queueDeclare(queue, true, false, false, single));
    try (RabbitTransport transport = connect(QueuesUnderTest.settings(rabbit))) {
      assertThatThrownBy(() -> subscribe(transport, "c"))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("PRECONDITION_FAILED")
          .hasMessageContaining("x-queue-type");
    }
  }

  @Test
  void whatIsMissingIsAnErrorForOneWhoOnlyVerifies(RabbitService rabbit) {
    RabbitSettings settings = QueuesUnderTest.settings(rabbit).withDestination(destination);
    assertThatThrownBy(() -> connect(settings.verifyOnly()))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("NOT_FOUND");
  }

  @Test
  void whatWasSentBeforeANamedConsumerCameWaitsForIt(RabbitService rabbit) throws Exception {
    RabbitSettings settings = QueuesUnderTest.settings(rabbit).withDestination(destination, "late");
    try (RabbitTransport transport = connect(settings)) {
      get(transport.publish(message("early")));
      try (Subscription late = subscribe(transport, "late")) {
        assertThat(receiveAtLast(late, 1)).hasSize(1);
      }
    }
  }

  @Test
  void aDestinationWithoutAnyConsumerRefuses(RabbitService rabbit) {
    RabbitSettings settings = QueuesUnderTest.settings(rabbit).withDestination(destination);
    try (RabbitTransport transport = connect(settings)) {
      PublishFailed failed =
          catchThrowableOfType(PublishFailed.class, () -> get(transport.publish(message("lost"))));
      assertThat(failed.kind()).isEqualTo(Kind.REFUSED);
      assertThat(failed).hasMessageContaining("nobody takes messages");
      subscribe(transport, "c").close();
      get(transport.publish(message("taken")));
    }
  }

  @Test
  void anExchangeThatIsDeletedRefusesAndTheOthersGoOn(RabbitService rabbit) throws Exception {
    String other = destination + ".other";
    RabbitSettings settings =
        QueuesUnderTest.settings(rabbit)
            .withDestination(destination, "c")
            .withDestination(other, "c");
    try (RabbitTransport transport = connect(settings)) {
      get(transport.publish(message("m")));
      bare(rabbit, channel -> channel.exchangeDelete(destination));
      await().until(() -> kind(transport, message("gone")) == Kind.REFUSED);
      get(transport.publish(Message.of(other, "m")));
    }
  }

  /** Waiting for an answer that can't come would take longer than this test. */
  @Test
  void queuesThatSomeoneDeletedAreMadeAgainAtOnce(RabbitService rabbit) throws Exception {
    RabbitSettings patient =
        QueuesUnderTest.settings(rabbit)
            .withPartitions(4)
            .withPublishTimeout(Duration.ofMinutes(10));
    try (RabbitTransport transport = connect(patient);
        Subscription reader = subscribe(transport, "c")) {
      get(transport.publish(message("before")));
      reader.acknowledge(receiveAtLast(reader, 1));
      bare(
          rabbit,
          channel -> {
            for (int partition = 0; partition < 4; partition++) {
              channel.queueDelete(RabbitNames.queue(destination, "c", "" + partition));
            }
          });
      await()
          .ignoreExceptionsInstanceOf(StoreException.class)
          .until(
              () -> {
                var unused = reader.receive(1, Duration.ofMillis(100));
                return !get(transport.publish(message("after"))).duplicate();
              });
      assertThat(receiveAtLast(reader, 1)).hasSize(1);
    }
  }

  @Test
  void aFullQueueRefusesForNow(RabbitService rabbit) throws Exception {
    RabbitSettings settings = QueuesUnderTest.settings(rabbit).withPartitions(1).withMaxWaiting(3);
    try (RabbitTransport transport = connect(settings);
        Subscription reader = subscribe(transport, "c")) {
      AtomicInteger taken = new AtomicInteger();
      await()
          .until(
              () -> {
                try {
                  get(transport.publish(message("m" + taken.get())));
                  taken.incrementAndGet();
                  return false;
                } catch (PublishFailed e) {
                  assertThat(e.kind()).isEqualTo(Kind.BUSY);
                  return true;
                }
              });
      reader.acknowledge(receiveAtLast(reader, taken.get()));
      await()
          .ignoreException(PublishFailed.class)
          .until(() -> !get(transport.publish(message("again"))).duplicate());
    }
  }

  @Test
  void whatOthersSendArrives(RabbitService rabbit) throws Exception {
    try (RabbitTransport transport = connect(QueuesUnderTest.settings(rabbit));
        Subscription reader = subscribe(transport, "c")) {
      AMQP.BasicProperties named =
          new AMQP.BasicProperties.Builder()
              .messageId("theirs")
              .headers(Map.of("number", 17, "table", Map.of("a", 1)))
              .build();
      bare(
          rabbit,
          channel -> {
            channel.confirmSelect();
            channel.basicPublish(destination, "", named, new byte[] {1});
            channel.basicPublish(destination, "whatever", null, new byte[] {2});
            channel.basicPublish(destination, "", null, new byte[] {3});
            channel.waitForConfirmsOrDie(LIMIT.toMillis());
          });
      List<Message> got = receiveAtLast(reader, 3).stream().map(Delivery::message).toList();
      assertThat(got.getFirst().id()).isEqualTo("theirs");
      assertThat(got.getFirst().headers()).isEqualTo(Map.of("number", "17"));
      assertThat(got).extracting(Message::id).doesNotHaveDuplicates();
    }
  }

  @Test
  void readersOfOneNameShareItsPartitions(RabbitService rabbit) throws Exception {
    RabbitSettings settings = QueuesUnderTest.settings(rabbit).withPartitions(4);
    try (RabbitTransport transport = connect(settings);
        RabbitTransport second = connect(settings);
        Subscription one = subscribe(transport, "c");
        Subscription other = subscribe(second, "c")) {
      AtomicInteger number = new AtomicInteger();
      AtomicBoolean shared = new AtomicBoolean();
      await()
          .until(
              () -> {
                for (int i = 0; i < 4; i++) {
                  get(transport.publish(message("m" + number.incrementAndGet())));
                }
                List<Delivery> first = one.receive(100, Duration.ofMillis(100));
                one.acknowledge(first);
                List<Delivery> rest = other.receive(100, Duration.ofMillis(100));
                other.acknowledge(rest);
                shared.set(!first.isEmpty() && !rest.isEmpty());
                return shared.get();
              });
    }
  }

  @Test
  void aPartitionHasOneReaderAtATime(RabbitService rabbit) throws Exception {
    try (RabbitTransport transport = connect(QueuesUnderTest.settings(rabbit));
        Subscription one = subscribe(transport, "c");
        Subscription other = subscribe(transport, "c")) {
      Duration moment = Duration.ofMillis(200);
      assertThat(one.receive(1, moment)).isEmpty();
      assertThat(other.receive(1, moment)).isEmpty(); // now both are there
      for (int i = 0; i < 6; i++) {
        get(transport.publish(message("m" + i).withOrderingKey("k")));
      }
      for (int came = 0; came < 6; ) {
        List<Delivery> some = receiveAtLast(one, 1);
        assertThat(some).isNotEmpty();
        assertThat(other.receive(6, moment)).isEmpty();
        one.acknowledge(some);
        came += some.size();
      }
    }
  }

  @Test
  @Tag("proof")
  void aFrozenBrokerFailsInGoodTimeAndIsFoundAgain(TestReporter report) throws Exception {
    report.publishEntry("outages", "1");
    try (RabbitService own = RabbitService.start()) {
      RabbitSettings settings =
          RabbitSettings.of(own.url())
              .withDestination(destination, "c")
              .withPublishTimeout(Duration.ofSeconds(1));
      try (RabbitTransport transport = connect(settings)) {
        get(transport.publish(message("before")));
        own.freeze();
        long start = System.nanoTime();
        assertThat(kind(transport, message("unheard"))).isEqualTo(Kind.UNREACHABLE);
        // Heartbeats would also detect it, after twenty seconds.
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
        byte[] large = new byte[1 << 20]; // more than the buffers in between hold
        for (int i = 0; i < 8; i++) {
          assertThat(kind(transport, Message.of(destination, large))).isEqualTo(Kind.UNREACHABLE);
        }
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(LIMIT);
        own.thaw();
        await()
            .ignoreException(PublishFailed.class)
            .until(() -> !get(transport.publish(message("after"))).duplicate());
        try (Subscription reader = subscribe(transport, "c")) {
          String last = "";
          while (!last.equals("after")) {
            List<Delivery> got = receiveAtLast(reader, 1);
            assertThat(got).isNotEmpty();
            byte[] payload = got.getFirst().message().payload();
            last = payload.length < 10 ? new String(payload, StandardCharsets.UTF_8) : "";
            reader.acknowledge(got);
          }
        }
      }
    }
  }
}

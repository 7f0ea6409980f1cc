package dev.semel.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.inbox.ConsumerSettings;
import dev.semel.inbox.DeadLetters;
import dev.semel.inbox.MessageConsumer;
import dev.semel.outbox.Relay;
import dev.semel.outbox.RelaySettings;
import dev.semel.proof.history.MessageChecker;
import dev.semel.stream.transport.StreamTransport;
import dev.semel.transport.Message;
import dev.semel.transport.SubscribeSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;

/** The server is away, while orders go on. */
final class StreamOutageTest {
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final int BYTES = 20_000;

  @TempDir private Path folder;

  @Test
  @Tag("proof")
  void fewSecondsHealByThemselves(TestReporter report) {
    run(report, Duration.ofSeconds(5), 200);
  }

  @Test
  @Tag("proof")
  void aMinuteHealsByItself(TestReporter report) {
    run(report, Duration.ofMinutes(1), 3_000);
  }

  private void run(TestReporter report, Duration away, int orders) {
    report.publishEntry(Map.of("outages", "1", "messages", "" + orders));
    List<MessageChecker.Message> sent = new ArrayList<>();
    try (StreamsService service = new StreamsService(folder);
        Shop shop = Shop.open(folder.resolve("shop.db").toString());
        StreamTransport transport =
            StreamTransport.over(service.client(), StreamsUnderTest.settings())) {
      shop.create();
      try (Relay relay = relay(shop, transport);
          MessageConsumer consumer = consumer(shop, transport)) {
        order(shop, sent, orders / 2);
        await().atMost(LIMIT).until(() -> shop.count("effects") > 0);
        service.kill();
        long since = System.nanoTime();
        order(shop, sent, orders);
        await()
            .atMost(LIMIT)
            .pollInterval(Duration.ofMillis(100))
            .until(
                () -> {
                  assertThat(usedBytes()).as("kept by the process").isLessThan(1L << 30);
                  return System.nanoTime() - since > away.toNanos();
                });
        assertThat(shop.count("semel_outbox")).isPositive();
        service.restart();
        await()
            .atMost(LIMIT)
            .pollInterval(Duration.ofMillis(100))
            .until(() -> shop.count("effects") >= orders && shop.count("semel_outbox") == 0);
        assertThat(relay.counts().published()).isGreaterThanOrEqualTo(orders);
        assertThat(consumer.counts().dead()).isZero();
      }
      assertThat(MessageChecker.check(sent, shop.effects())).isEmpty();
      assertThat(shop.count("semel_outbox_dead")).isZero();
    }
  }

  private static long usedBytes() {
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  /** Up to so many. */
  private static void order(Shop shop, List<MessageChecker.Message> sent, int until) {
    for (int n = sent.size(); n < until; n++) {
      String key = "customer-" + n % 7;
      Message message =
          Message.of(Shop.DESTINATION, new byte[BYTES]).withIdOf("order-" + n).withOrderingKey(key);
      shop.order(message);
      sent.add(new MessageChecker.Message(message.id(), key, true));
    }
  }

  private static Relay relay(Shop shop, StreamTransport transport) {
    return Relay.start(
        shop.outbox().store(),
        transport,
        RelaySettings.defaults().withRetries(1000, Duration.ofMillis(50), Duration.ofSeconds(1)));
  }

  private static MessageConsumer consumer(Shop shop, StreamTransport transport) {
    return MessageConsumer.start(
        Shop.CONSUMER,
        transport.subscribe(
            Shop.DESTINATION,
            Shop.CONSUMER,
            SubscribeSettings.defaults(),
            shop.inbox().positions()),
        shop.inbox()
            .consumerInbox(
                Shop.CONSUMER,
                (connection, message) ->
                    Shop.insert(connection, "INSERT INTO effects (id) VALUES (?)", message.id())),
        DeadLetters.to(transport, "dead"),
        ConsumerSettings.defaults()
            .withRetries(1000, Duration.ofMillis(50), Duration.ofSeconds(1)));
  }
}

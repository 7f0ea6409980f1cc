package dev.semel.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.StoreException;
import dev.semel.junit.Patience;
import dev.semel.outbox.Relay;
import dev.semel.outbox.RelaySettings;
import dev.semel.outbox.internal.MemoryOutbox;
import dev.semel.testservices.KafkaService;
import dev.semel.transport.Message;
import dev.semel.transport.SubscribeSettings;
import dev.semel.transport.spi.Delivery;
import dev.semel.transport.spi.Subscription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/** The broker is unreachable while messages are added. */
final class KafkaOutageTest {
  private static final int KEYS = 10;
  private static final Duration LIMIT = Patience.LIMIT;

  @Test
  @Tag("proof")
  void afterAShortOutageEverythingIsThereInOrder(TestReporter report) throws InterruptedException {
    outage(report, Duration.ofSeconds(4), 500);
  }

  @Test
  @Tag("proof")
  void afterAMinuteEverythingIsThereInOrder(TestReporter report) throws InterruptedException {
    outage(report, Duration.ofMinutes(1), 20_000);
  }

  private static void outage(TestReporter report, Duration away, int count)
      throws InterruptedException {
    report.publishEntry(Map.of("outages", "1", "messages", "" + count));
    MemoryOutbox outbox = new MemoryOutbox();
    try (KafkaService kafka = KafkaService.start();
        KafkaTransport transport =
            KafkaTransport.connect(
                KafkaUnderTest.settings(kafka).withTopics(TopicSettings.of(2).withReplicas(1, 1)));
        Subscription reader = transport.subscribe("orders", "c", SubscribeSettings.defaults());
        Relay relay = Relay.start(outbox, transport, RelaySettings.defaults())) {
      List<String> expected = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        if (i == count / 3) {
          kafka.kill();
        }
        outbox.add(Message.of("orders", "m" + i).withId("m" + i).withOrderingKey("k" + i % KEYS));
        expected.add("m" + i);
      }
      Patience.pass(away);
      assertThat(outbox.pending()).as("what the broker does not have stays").isPositive();
      assertThat(relay.counts().inFlight()).isLessThanOrEqualTo(1000);
      kafka.restart();
      Set<String> got = new LinkedHashSet<>(); // the inbox would drop the duplicates
      long start = System.nanoTime();
      while (got.size() < count && System.nanoTime() - start < LIMIT.toNanos()) {
        take(reader, got);
      }
      assertThat(got).containsExactlyInAnyOrderElementsOf(expected);
      for (int key = 0; key < KEYS; key++) {
        assertThat(ofKey(got, key)).isEqualTo(ofKey(expected, key));
      }
      await().untilAsserted(() -> assertThat(outbox.pending()).isZero());
      assertThat(outbox.dead()).isEmpty();
      assertThat(relay.counts().failed()).isZero();
    }
  }

  private static void take(Subscription reader, Set<String> got) throws InterruptedException {
    try {
      List<Delivery> some = reader.receive(100, Duration.ofSeconds(1));
      some.forEach(each -> got.add(each.message().id()));
      reader.acknowledge(some);
    } catch (StoreException e) {
      assertThat(e).hasMessageNotContaining("closed"); // the broker is not back yet
    }
  }

  private static List<String> ofKey(Collection<String> ids, int key) {
    return ids.stream().filter(id -> Integer.parseInt(id.substring(1)) % KEYS == key).toList();
  }
}

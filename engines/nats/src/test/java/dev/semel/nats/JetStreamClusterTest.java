package dev.semel.nats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.StoreException;
import dev.semel.junit.Patience;
import dev.semel.junit.proof.ProofRun;
import dev.semel.outbox.Relay;
import dev.semel.outbox.RelaySettings;
import dev.semel.outbox.internal.MemoryOutbox;
import dev.semel.testservices.NatsClusterService;
import dev.semel.transport.Message;
import dev.semel.transport.SubscribeSettings;
import dev.semel.transport.spi.Delivery;
import dev.semel.transport.spi.Subscription;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.Nats;
import io.nats.client.api.ClusterInfo;
import io.nats.client.api.StreamInfo;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/** A cluster of three servers; the stream's leader dies while messages pass. */
final class JetStreamClusterTest {
  private static final String DESTINATION = "orders.created";
  private static final StreamSettings STREAM =
      StreamSettings.of("ORDERS", "orders.>").withReplicas(3);
  private static final int KEYS = 20;
  private static final Duration LIMIT = Patience.LIMIT;

  @Test
  @Tag("proof")
  void nothingIsLostOrTurnedAroundWhenTheLeaderDies(TestReporter report) throws Exception {
    run(report, 2000, 1);
  }

  @Test
  @Tag("proof")
  void norWhenOneLeaderAfterTheOtherDies(TestReporter report) throws Exception {
    run(report, ProofRun.volume(20_000, 200_000), ProofRun.volume(6, 60));
  }

  private static void run(TestReporter report, int count, int kills) throws Exception {
    report.publishEntry(Map.of("messages", "" + count, "kills", "" + kills));
    MemoryOutbox outbox = new MemoryOutbox();
    try (NatsClusterService cluster = NatsClusterService.start();
        JetStreamTransport transport =
            JetStreamTransport.connect(
                JetStreamSettings.of(cluster.urls(), STREAM)
                    .withPublishTimeout(Duration.ofSeconds(2)));
        Subscription reader =
            transport.subscribe(
                DESTINATION,
                "ledger",
                SubscribeSettings.defaults().withAckWithin(Duration.ofSeconds(5)));
        Relay relay = Relay.start(outbox, transport, RelaySettings.defaults().withBatch(50))) {
      IntStream.range(0, count).forEach(i -> outbox.add(message(i)));
      Heard heard = new Heard();
      for (int kill = 1; kill <= kills; kill++) {
        heard.until(reader, count * kill / (kills + 1));
        String leader = leader(cluster);
        cluster.node(leader).kill();
        heard.until(reader, heard.ids.size() + count / (4 * (kills + 1)));
        cluster.node(leader).restart();
        cluster.awaitReady();
      }
      heard.until(reader, count);
      heard.requireOrder();
      await().until(() -> outbox.pending() == 0);
      assertThat(outbox.dead()).isEmpty();
      assertThat(relay.counts().published()).isGreaterThanOrEqualTo(count);
      assertThat(info(cluster).getStreamState().getMsgCount())
          .as("what was sent again is known by its id, whoever leads")
          .isEqualTo(count);
    }
  }

  private static Message message(int i) {
    return Message.of(DESTINATION, "" + i / KEYS)
        .withIdOf("order-" + i)
        .withType("" + i / KEYS)
        .withOrderingKey("customer-" + i % KEYS);
  }

  /** The effects that a consumer with an inbox would have. */
  private static final class Heard {
    private final Set<String> ids = new HashSet<>();
    private final Map<String, List<Integer>> byKey = new LinkedHashMap<>();

    void until(Subscription reader, int count) throws InterruptedException {
      long start = System.nanoTime();
      while (ids.size() < count) {
        assertThat(System.nanoTime() - start)
            .as("stuck at " + ids.size())
            .isLessThan(LIMIT.toNanos());
        try {
          List<Delivery> got = reader.receive(100, Duration.ofSeconds(1));
          got.forEach(delivery -> take(delivery.message()));
          reader.acknowledge(got);
        } catch (StoreException e) {
          assertThat(e).hasMessageMatching(".*(reached|confirm|answer|again).*");
        }
      }
    }

    private void take(Message message) {
      if (ids.add(message.id())) {
        byKey
            .computeIfAbsent(message.orderingKey(), key -> new ArrayList<>())
            .add(Integer.valueOf(message.type()));
      }
    }

    void requireOrder() {
      byKey.forEach((key, order) -> assertThat(order).as(key).isSorted());
    }
  }

  private static String leader(NatsClusterService cluster)
      throws IOException, InterruptedException, JetStreamApiException {
    ClusterInfo now = Objects.requireNonNull(info(cluster).getClusterInfo());
    return Objects.requireNonNull(now.getLeader());
  }

  private static StreamInfo info(NatsClusterService cluster)
      throws IOException, InterruptedException, JetStreamApiException {
    Connection connection = Nats.connect(cluster.urls());
    try {
      return connection.jetStreamManagement().getStreamInfo(STREAM.name());
    } finally {
      connection.close();
    }
  }
}

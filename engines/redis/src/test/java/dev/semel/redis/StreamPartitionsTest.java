package dev.semel.redis;

import static dev.semel.tck.messages.TransportCalls.LIMIT;
import static dev.semel.tck.messages.TransportCalls.get;
import static dev.semel.tck.messages.TransportCalls.receive;
import static dev.semel.tck.messages.TransportCalls.text;
import static dev.semel.tck.messages.TransportCalls.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.StoreException;
import dev.semel.internal.Ids;
import dev.semel.redis.internal.RedisAccess;
import dev.semel.redis.internal.RedisLink;
import dev.semel.redis.internal.streams.PartitionReading;
import dev.semel.redis.internal.streams.StreamPartition;
import dev.semel.redis.internal.streams.StreamScript;
import dev.semel.testservices.RedisService;
import dev.semel.testservices.SharedServices;
import dev.semel.transport.Message;
import dev.semel.transport.SubscribeSettings;
import dev.semel.transport.spi.Delivery;
import dev.semel.transport.spi.Subscription;
import io.lettuce.core.Consumer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.StreamMessage;
import io.lettuce.core.XReadArgs;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Which reader has a partition, and what happens when a reader dies, sleeps, or is joined by
 * others.
 */
@Tag("service")
@ExtendWith(SharedServices.class)
final class StreamPartitionsTest {
  private static final Duration LEASE = Duration.ofMillis(600);
  private static final SubscribeSettings SETTINGS =
      SubscribeSettings.defaults().withAckWithin(LEASE);

  @SuppressWarnings("NullAway.Init")
  private static RedisClient client;

  @SuppressWarnings("NullAway.Init")
  private static RedisCommands<String, String> redisItself;

  @SuppressWarnings("NullAway.Init")
  private static String url;

  private final String destination = "orders." + Ids.uuid7();
  private final String partition = "semel:m:{" + destination + "/0}";

  @BeforeAll
  static void open(RedisService redis) {
    url = redis.url();
    client = RedisClient.create(url);
    redisItself = client.connect().sync();
  }

  @AfterAll
  static void close() {
    client.shutdown();
  }

  private static RedisStreamsTransport connect(int partitions) {
    return RedisStreamsTransport.connect(
        RedisStreamsSettings.of(url).withPartitions(partitions).withLease(LEASE));
  }

  private Message message(String text) {
    return Message.of(destination, text).withOrderingKey("k");
  }

  @Test
  void whoFollowsADeadReaderBeginsWithWhatThatLeft() throws Exception {
    try (RedisStreamsTransport healthy = connect(1)) {
      for (int i = 0; i < 6; i++) {
        get(healthy.publish(message("m" + i)));
      }
      RedisStreamsTransport dying = connect(1);
      Subscription dead = dying.subscribe(destination, "c", SETTINGS);
      List<Delivery> three = dead.receive(3, LIMIT);
      assertThat(texts(three)).containsExactly("m0", "m1", "m2");
      three.getFirst().acknowledge();
      dying.close(); // cuts its connections, without a release of its partitions
      for (int i = 6; i < 9; i++) {
        get(healthy.publish(message("m" + i)));
      }
      try (Subscription next = healthy.subscribe(destination, "c", SETTINGS)) {
        List<Delivery> rest = new ArrayList<>();
        while (rest.size() < 8) {
          List<Delivery> got = receive(next, 1);
          next.acknowledge(got);
          rest.addAll(got);
        }
        assertThat(texts(rest))
            .containsExactlyElementsOf(IntStream.range(1, 9).mapToObj(i -> "m" + i).toList());
        assertThat(rest.getFirst().attempt()).isEqualTo(2);
        assertThat(rest.getLast().attempt()).isEqualTo(1);
        assertThat(next.lag()).isZero();
        assertThat(redisItself.xlen(partition)).isZero();
        assertThat(redisItself.xinfoConsumers(partition, "c")).hasSize(1);
      }
    }
  }

  @Test
  void aReaderThatSleptPastItsLeaseAcknowledgesNothing() throws Exception {
    try (RedisStreamsTransport transport = connect(1);
        Subscription sleepy = transport.subscribe(destination, "c", SETTINGS);
        Subscription other = transport.subscribe(destination, "c", SETTINGS)) {
      get(transport.publish(message("m0")));
      get(transport.publish(message("m1")));
      List<Delivery> slept = receive(sleepy, 2); // and it is silent from then on
      Delivery first = receive(other, 1).getFirst();
      assertThat(text(first)).isEqualTo("m0");
      assertThat(first.attempt()).isEqualTo(2);
      assertThatThrownBy(() -> sleepy.acknowledge(slept))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("another reads that partition");
      assertThat(redisItself.xpending(partition, "c").getCount()).isEqualTo(2);
      assertThat(redisItself.xlen(partition)).isEqualTo(2);
      first.acknowledge();
      assertThat(redisItself.xpending(partition, "c").getCount()).isOne();
    }
  }

  @Test
  void whoDoesNotHaveThePartitionReadsNothingOfIt() {
    try (RedisStreamsTransport transport = connect(1);
        RedisAccess access = RedisAccess.open(url)) {
      transport.subscribe(destination, "c", SETTINGS).close();
      get(transport.publish(message("m")));
      StreamPartition first = new StreamPartition(destination, 0);
      byte[][] keys = {first.stream(), first.lease("c"), first.rest()};
      List<Object> read =
          access
              .link()
              .list(
                  StreamScript.FETCH,
                  keys,
                  RedisLink.ascii("c"),
                  RedisLink.ascii("nobody"),
                  RedisLink.ascii(10),
                  RedisLink.ascii(1000),
                  RedisLink.ascii(PartitionReading.START));
      assertThat(read).isEmpty();
      assertThat(redisItself.xpending(partition, "c").getCount()).isZero();
    }
  }

  @Test
  @SuppressWarnings("unchecked") // a client's list of generic arguments
  void whatWasDeletedAfterItsAnswerGotLostHoldsNothingUp() throws Exception {
    try (RedisStreamsTransport transport = connect(1);
        Subscription reader = transport.subscribe(destination, "c", SETTINGS)) {
      get(transport.publish(message("before")));
      reader.acknowledge(receive(reader, 1));
      get(transport.publish(message("deleted")));
      get(transport.publish(message("lost")));
      List<StreamMessage<String, String>> handedOut =
          redisItself.xreadgroup(
              Consumer.from("c", "lane"), XReadArgs.StreamOffset.lastConsumed(partition));
      redisItself.xdel(partition, handedOut.getFirst().getId());
      assertThat(texts(receive(reader, 1))).containsExactly("lost");
      assertThat(redisItself.xpending(partition, "c").getCount()).isOne();
    }
  }

  @Test
  void aConsumerThatRedisForgotIsMadeAgainAndBeginsWithWhatIsThere() throws Exception {
    try (RedisStreamsTransport transport = connect(1);
        Subscription reader = transport.subscribe(destination, "c", SETTINGS)) {
      get(transport.publish(message("before")));
      assertThat(texts(receive(reader, 1))).containsExactly("before");
      redisItself.xgroupDestroy(partition, "c");
      get(transport.publish(message("after")));
      List<String> came = new ArrayList<>();
      while (!came.contains("after")) {
        List<Delivery> got = receive(reader, 1);
        came.addAll(texts(got));
        reader.acknowledge(got);
      }
      assertThat(came).containsExactly("before", "after");
    }
  }

  @Test
  void partitionsAreSharedAndGoToWhoIsLeft() throws Exception {
    int partitions = 8;
    try (RedisStreamsTransport transport = connect(partitions);
        Subscription one = transport.subscribe(destination, "c", SETTINGS)) {
      assertThat(one.receive(1, Duration.ofMillis(50))).isEmpty(); // it has all partitions now
      RedisStreamsTransport dying = connect(partitions);
      Subscription other = dying.subscribe(destination, "c", SETTINGS);
      assertThat(shares(transport, one, other)).allSatisfy(got -> assertThat(got).isPositive());
      dying.close();
      for (int i = 0; i < 40; i++) {
        get(transport.publish(Message.of(destination, "last " + i)));
      }
      List<String> last = new ArrayList<>();
      long start = System.nanoTime();
      while (last.stream().filter(text -> text.startsWith("last")).distinct().count() < 40) {
        List<Delivery> got = one.receive(100, Duration.ofMillis(200));
        last.addAll(texts(got));
        one.acknowledge(got);
        assertThat(System.nanoTime() - start).isLessThan(LIMIT.toNanos());
      }
    }
  }

  /** Sends until both readers have messages, and counts them. */
  private List<Integer> shares(
      RedisStreamsTransport transport, Subscription one, Subscription other) throws Exception {
    int ones = 0;
    int others = 0;
    long start = System.nanoTime();
    while ((ones == 0 || others == 0) && System.nanoTime() - start < LIMIT.toNanos()) {
      for (int i = 0; i < 20; i++) {
        get(transport.publish(Message.of(destination, "shared")));
      }
      List<Delivery> first = one.receive(100, Duration.ofMillis(100));
      one.acknowledge(first);
      ones += first.size();
      List<Delivery> second = other.receive(100, Duration.ofMillis(100));
      other.acknowledge(second);
      others += second.size();
    }
    return List.of(ones, others);
  }
}

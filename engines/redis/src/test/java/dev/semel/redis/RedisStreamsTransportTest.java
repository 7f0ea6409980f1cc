package dev.semel.redis;

import static dev.semel.tck.messages.TransportCalls.get;
import static dev.semel.tck.messages.TransportCalls.receive;
import static dev.semel.tck.messages.TransportCalls.text;
import static dev.semel.tck.messages.TransportCalls.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.semel.InvalidInput;
import dev.semel.StoreException;
import dev.semel.internal.Ids;
import dev.semel.junit.Patience;
import dev.semel.outbox.Relay;
import dev.semel.outbox.RelaySettings;
import dev.semel.outbox.internal.MemoryOutbox;
import dev.semel.tck.messages.TransportCalls;
import dev.semel.testservices.RedisService;
import dev.semel.testservices.SharedServices;
import dev.semel.transport.Message;
import dev.semel.transport.PublishFailed;
import dev.semel.transport.PublishFailed.Kind;
import dev.semel.transport.SubscribeSettings;
import dev.semel.transport.spi.Delivery;
import dev.semel.transport.spi.Subscription;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Details of Redis, beyond the contract. */
@Tag("service")
@ExtendWith(SharedServices.class)
final class RedisStreamsTransportTest {
  private static final SubscribeSettings PATIENT =
      SubscribeSettings.defaults().withAckWithin(Duration.ofMinutes(5));

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

  private static RedisStreamsSettings settings() {
    return RedisStreamsSettings.of(url).withPartitions(1);
  }

  private static RedisStreamsTransport connect() {
    return RedisStreamsTransport.connect(settings());
  }

  private Message message(String text) {
    return Message.of(destination, text).withIdOf(destination + text).withOrderingKey("k");
  }

  @Nested
  class Deduplicating {
    @Test
    void anIdIsKnownToAnotherProcessUntilItsWindowEnds() {
      Duration window = Duration.ofSeconds(2);
      RedisStreamsSettings shortly = settings().withDuplicateWindow(window);
      long start;
      try (RedisStreamsTransport one = RedisStreamsTransport.connect(shortly)) {
        get(one.publish(message("one before")));
        // Its id arrives late, shortly before the current ids are put aside.
        Patience.pass(window.multipliedBy(3).dividedBy(4));
        get(one.publish(message("first")));
        start = System.nanoTime();
      }
      try (RedisStreamsTransport other = RedisStreamsTransport.connect(shortly)) {
        assertThat(get(other.publish(message("first"))).duplicate()).isTrue();
        // The id stays known until the window ends, however many others push its set aside.
        List<Integer> added = new ArrayList<>();
        await()
            .pollInterval(Duration.ofMillis(20))
            .until(
                () -> {
                  added.add(added.size());
                  get(other.publish(message("other " + added.size())));
                  return !get(other.publish(message("first"))).duplicate();
                });
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(window);
      }
    }

    @Test
    void aScriptThatRedisForgotIsSentWhole() {
      try (RedisStreamsTransport transport = connect()) {
        get(transport.publish(message("1")));
        redisItself.scriptFlush();
        assertThat(get(transport.publish(message("1"))).duplicate()).isTrue();
        assertThat(get(transport.publish(message("2"))).duplicate()).isFalse();
      }
    }

    @Test
    void anIdTakesAtMost150BytesOfMemory() {
      int count = 20_000;
      try (RedisStreamsTransport transport = connect()) {
        for (int i = 0; i < count; i += 1000) {
          var sent =
              IntStream.range(i, i + 1000)
                  .mapToObj(n -> transport.publish(Message.of(destination, "x")))
                  .toList();
          sent.forEach(TransportCalls::get);
        }
        long bytes = redisItself.memoryUsage(partition + ":ids");
        System.out.printf("memory per deduplicated id: %.0f bytes%n", (double) bytes / count);
        assertThat(bytes / count).isLessThanOrEqualTo(150);
        assertThat(redisItself.pttl(partition + ":ids")).isPositive();
      }
    }
  }

  @Nested
  class Limits {
    @Test
    void aFullPartitionRefusesUntilItsConsumerCatchesUpAndDropsNothing() throws Exception {
      try (RedisStreamsTransport transport =
              RedisStreamsTransport.connect(settings().withMaxLength(10));
          Subscription reader = transport.subscribe(destination, "slow", PATIENT)) {
        for (int i = 0; i < 10; i++) {
          get(transport.publish(message("m" + i)));
        }
        PublishFailed full =
            catchThrowableOfType(
                PublishFailed.class, () -> get(transport.publish(message("one more"))));
        assertThat(full.kind()).isEqualTo(Kind.BUSY);
        assertThat(full).hasMessageContaining("limit").hasMessageContaining("forget");
        assertThat(get(transport.publish(message("m3"))).duplicate()).isTrue();
        assertThat(transport.hazards(Duration.ofMinutes(1)))
            .anySatisfy(hazard -> assertThat(hazard).contains("slow", "10 messages"));
        List<Delivery> all = receive(reader, 10);
        assertThat(texts(all)).startsWith("m0").endsWith("m9");
        reader.acknowledge(all);
        assertThat(get(transport.publish(message("one more"))).duplicate()).isFalse();
      }
    }

    @Test
    void aPartitionThatTakesTooMuchMemoryRefuses() throws Exception {
      try (RedisStreamsTransport transport =
              RedisStreamsTransport.connect(settings().withMaxBytes(1 << 20));
          Subscription reader = transport.subscribe(destination, "slow", PATIENT)) {
        int sent = 0;
        PublishFailed full = null;
        while (full == null && sent < 1000) {
          Message large = Message.of(destination, new byte[20_000]);
          full = catchThrowableOfType(PublishFailed.class, () -> get(transport.publish(large)));
          sent += full == null ? 1 : 0;
        }
        assertThat(full).isNotNull().hasMessageContaining("maxBytes");
        assertThat(redisItself.xlen(partition)).isEqualTo(sent).isBetween(50L, 200L);
        while (reader.lag() > 0) {
          reader.acknowledge(receive(reader, 1));
        }
        get(transport.publish(message("small")));
      }
    }

    @Test
    void aRedisWithoutMemoryIsBusyAndSaysSo() {
      try (RedisService small = RedisService.start("--maxmemory", "4mb");
          RedisStreamsTransport transport =
              RedisStreamsTransport.connect(
                  RedisStreamsSettings.of(small.url()).withPartitions(1))) {
        PublishFailed full = null;
        for (int i = 0; full == null && i < 200; i++) {
          Message large = Message.of(destination, new byte[200_000]);
          full = catchThrowableOfType(PublishFailed.class, () -> get(transport.publish(large)));
        }
        assertThat(full)
            .isNotNull()
            .hasMessageContaining("maxmemory")
            .extracting(PublishFailed::kind)
            .isEqualTo(Kind.BUSY);
      }
    }

    @Test
    void theRelayBuriesWhatIsTooLarge() {
      Message large = Message.of(destination, new byte[2 << 20]);
      MemoryOutbox outbox = new MemoryOutbox();
      outbox.add(large, message("small"));
      try (RedisStreamsTransport transport = connect();
          Relay relay = Relay.start(outbox, transport, RelaySettings.defaults())) {
        relay.wake();
        await().until(() -> outbox.pending() == 0);
        Map<Message, String> dead = outbox.dead();
        assertThat(dead).hasSize(1);
        assertThat(dead.values()).allSatisfy(why -> assertThat(why).contains("limit"));
        assertThat(redisItself.xlen(partition)).isOne();
      }
    }
  }

  @Nested
  class Trimming {
    @Test
    void whatAConsumerThatIsAwayHasNotReadStaysUntilItIsForgotten() throws Exception {
      try (RedisStreamsTransport transport = connect()) {
        transport.subscribe(destination, "away", PATIENT).close();
        try (Subscription reader = transport.subscribe(destination, "here", PATIENT)) {
          get(transport.publish(message("m")));
          reader.acknowledge(receive(reader, 1));
          assertThat(redisItself.xlen(partition)).isOne();
          assertThatThrownBy(() -> transport.forget(destination, "here"))
              .isInstanceOf(InvalidInput.class)
              .hasMessageContaining("being used");
          transport.forget(destination, "away");
          assertThat(redisItself.xlen(partition)).isZero();
          assertThat(reader.lag()).isZero();
        }
      }
    }

    @Test
    void beforeAnyoneSubscribedEverythingStays() throws Exception {
      try (RedisStreamsTransport transport = connect()) {
        get(transport.publish(message("m")));
        try (Subscription reader = transport.subscribe(destination, "late", PATIENT)) {
          assertThat(text(receive(reader, 1).getFirst())).isEqualTo("m");
        }
      }
    }
  }

  @Nested
  class Others {
    @Test
    void whatSomeoneElseAddedIsDelivered() throws Exception {
      try (RedisStreamsTransport transport = connect();
          Subscription reader = transport.subscribe(destination, "c", PATIENT)) {
        redisItself.xadd(partition, Map.of("colour", "blue", "a name", "that is no header's"));
        redisItself.xadd(partition, Map.of("payload", "text", "colour", "blue"));
        List<Delivery> got = receive(reader, 2);
        assertThat(texts(got)).containsExactly("", "text");
        assertThat(got.get(1).message().header("colour")).hasValue("blue");
        assertThat(got.get(0).message().id()).isNotEqualTo(got.get(1).message().id());
        reader.acknowledge(got);
        assertThat(redisItself.xlen(partition)).isZero();
      }
    }

    @Test
    void theNumberOfPartitionsIsWhatWasSaidFirst() {
      try (RedisStreamsTransport one = connect();
          RedisStreamsTransport other =
              RedisStreamsTransport.connect(RedisStreamsSettings.of(url).withPartitions(16))) {
        get(one.publish(message("m")));
        for (int i = 0; i < 20; i++) {
          get(other.publish(Message.of(destination, "m" + i)));
        }
        assertThat(redisItself.xlen(partition)).isEqualTo(21);
      }
    }
  }

  @Nested
  class Access {
    @Test
    void aWrongPasswordIsToldApartAndNotRepeated() {
      try (RedisService guarded =
          RedisService.start("--user", "shop", "on", ">r1ght", "~semel:*", "&semel:*", "+@all")) {
        String address = "127.0.0.1:" + guarded.port();
        RedisStreamsSettings wrong = RedisStreamsSettings.of("redis://shop:wr0ng@" + address);
        assertThatThrownBy(() -> RedisStreamsTransport.connect(wrong))
            .isInstanceOf(StoreException.class)
            .hasMessageContaining("refused the user or password")
            .hasMessageNotContaining("wr0ng");
        assertThat(wrong.toString()).doesNotContain("wr0ng");
        try (RedisStreamsTransport right =
            RedisStreamsTransport.connect(
                RedisStreamsSettings.of("redis://shop:r1ght@" + address))) {
          get(right.publish(message("m")));
          assertThat(right.describe()).contains(address).doesNotContain("r1ght");
        }
      }
    }

    @Test
    void aRedisThatEvictsIsRefused() {
      try (RedisService evicting = RedisService.start("--maxmemory-policy", "allkeys-lru")) {
        assertThatThrownBy(
                () -> RedisStreamsTransport.connect(RedisStreamsSettings.of(evicting.url())))
            .isInstanceOf(StoreException.class)
            .hasMessageContaining("noeviction");
      }
    }

    @Test
    void whatACrashCanLoseIsAHazard() {
      try (RedisStreamsTransport transport = connect()) { // everysec
        assertThat(transport.hazards(Duration.ofSeconds(1)))
            .anySatisfy(hazard -> assertThat(hazard).contains("appendfsync"));
      }
      try (RedisService forgetful = RedisService.start("--appendonly", "no");
          RedisStreamsTransport transport =
              RedisStreamsTransport.connect(RedisStreamsSettings.of(forgetful.url()))) {
        assertThat(transport.hazards(Duration.ofSeconds(1)))
            .anySatisfy(hazard -> assertThat(hazard).contains("appendonly"));
      }
    }
  }
}

package dev.semel.redis;

import static dev.semel.tck.messages.TransportCalls.LIMIT;
import static dev.semel.tck.messages.TransportCalls.get;
import static dev.semel.tck.messages.TransportCalls.receive;
import static dev.semel.tck.messages.TransportCalls.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.semel.StoreException;
import dev.semel.outbox.Relay;
import dev.semel.outbox.RelaySettings;
import dev.semel.outbox.internal.MemoryOutbox;
import dev.semel.testservices.RedisService;
import dev.semel.transport.Message;
import dev.semel.transport.PublishFailed;
import dev.semel.transport.PublishFailed.Kind;
import dev.semel.transport.PublishResult;
import dev.semel.transport.SubscribeSettings;
import dev.semel.transport.spi.Delivery;
import dev.semel.transport.spi.Subscription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/** Each test has a separate Redis, which it kills or freezes. */
final class RedisStreamsOutageTest {
  private static final String DESTINATION = "orders";

  private static RedisStreamsTransport connect(RedisService redis, String timeout) {
    return RedisStreamsTransport.connect(
        RedisStreamsSettings.of(redis.url() + "?timeout=" + timeout));
  }

  @Test
  @Tag("service")
  void afterAnOutageEverythingGoesOnByItself(TestReporter report) throws Exception {
    outage(Duration.ofSeconds(3), report);
  }

  @Test
  @Tag("proof")
  void afterAMinuteEverythingGoesOnByItself(TestReporter report) throws Exception {
    outage(Duration.ofMinutes(1), report);
  }

  /** Messages added during the outage wait in the outbox, and arrive once and in order after it. */
  private static void outage(Duration length, TestReporter report) throws Exception {
    int each = 300;
    report.publishEntry(Map.of("outages", "1", "messages", "" + 2 * each));
    MemoryOutbox outbox = new MemoryOutbox();
    List<String> came = new ArrayList<>();
    try (RedisService redis = RedisService.start("--appendfsync", "always");
        RedisStreamsTransport transport = connect(redis, "2s");
        Subscription reader = transport.subscribe(DESTINATION, "c", SubscribeSettings.defaults());
        Relay relay = Relay.start(outbox, transport, RelaySettings.defaults())) {
      write(outbox, 0, each);
      relay.wake();
      drain(reader, came, each);
      redis.kill();
      long start = System.nanoTime();
      write(outbox, each, 2 * each);
      relay.wake();
      await()
          .pollDelay(Duration.ZERO)
          .until(
              () -> {
                drain(reader, came, 0); // fails, and goes on later
                return System.nanoTime() - start > length.toNanos();
              });
      assertThat(outbox.pending()).isEqualTo(each);
      redis.restart();
      drain(reader, came, 2 * each);
      await().until(() -> outbox.pending() == 0);
      drain(reader, came, 2 * each);
      assertThat(outbox.dead()).isEmpty();
      assertThat(came).doesNotHaveDuplicates().hasSize(2 * each);
      for (int key = 0; key < 3; key++) {
        int of = key;
        assertThat(came.stream().filter(text -> Integer.parseInt(text) % 3 == of))
            .isSortedAccordingTo((a, b) -> Integer.parseInt(a) - Integer.parseInt(b));
      }
    }
  }

  private static void write(MemoryOutbox outbox, int from, int to) {
    for (int i = from; i < to; i++) {
      outbox.add(Message.of(DESTINATION, "" + i).withOrderingKey("key " + i % 3));
    }
  }

  private static void drain(Subscription reader, List<String> came, int until)
      throws InterruptedException {
    long start = System.nanoTime();
    do {
      try {
        List<Delivery> got = reader.receive(100, Duration.ofMillis(100));
        reader.acknowledge(got);
        came.addAll(texts(got));
      } catch (StoreException e) {
        assertThat(e).hasMessageNotContaining("closed");
      }
    } while (came.size() < until && System.nanoTime() - start < LIMIT.toNanos());
  }

  @Test
  @Tag("service")
  void whileRedisHangsOnlySoMuchWaitsAndAllOfItFailsInTime() {
    try (RedisService redis = RedisService.start();
        RedisStreamsTransport transport = connect(redis, "2s")) {
      get(transport.publish(Message.of(DESTINATION, "before")));
      redis.freeze();
      long start = System.nanoTime();
      List<CompletionStage<PublishResult>> sent =
          IntStream.range(0, RedisStreamsTransport.MAX_IN_FLIGHT + 500)
              .mapToObj(i -> transport.publish(Message.of(DESTINATION, "m" + i)))
              .toList();
      List<Kind> kinds =
          sent.stream()
              .map(each -> catchThrowableOfType(PublishFailed.class, () -> get(each)).kind())
              .toList();
      redis.thaw();
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(LIMIT);
      assertThat(kinds).filteredOn(Kind.BUSY::equals).hasSize(500);
      assertThat(kinds)
          .filteredOn(Kind.UNREACHABLE::equals)
          .hasSize(RedisStreamsTransport.MAX_IN_FLIGHT);
      await()
          .ignoreExceptions()
          .until(() -> !get(transport.publish(Message.of(DESTINATION, "after"))).duplicate());
    }
  }

  @Test
  @Tag("service")
  void anAcknowledgementThatRedisDidNotHearIsToldAgain() throws Exception {
    try (RedisService redis = RedisService.start("--appendfsync", "always");
        RedisStreamsTransport transport =
            RedisStreamsTransport.connect(
                RedisStreamsSettings.of(redis.url() + "?timeout=2s")
                    .withLease(Duration.ofMinutes(2)));
        Subscription reader =
            transport.subscribe(
                DESTINATION,
                "c",
                SubscribeSettings.defaults().withAckWithin(Duration.ofMinutes(5)))) {
      get(transport.publish(Message.of(DESTINATION, "m").withOrderingKey("k")));
      List<Delivery> got = receive(reader, 1);
      redis.kill();
      assertThatThrownBy(() -> reader.acknowledge(got)).isInstanceOf(StoreException.class);
      redis.restart();
      List<String> again = new ArrayList<>();
      await()
          .ignoreExceptions()
          .until(
              () -> {
                drain(reader, again, 0);
                return reader.lag() == 0;
              });
      assertThat(again).isEmpty();
    }
  }

  @Test
  @Tag("service")
  void whatRedisHandedOutInAnAnswerThatWasLostComesNevertheless() throws Exception {
    try (RedisService redis = RedisService.start();
        RedisStreamsTransport transport =
            RedisStreamsTransport.connect(
                RedisStreamsSettings.of(redis.url() + "?timeout=2s")
                    .withLease(Duration.ofMinutes(2)));
        Subscription reader =
            transport.subscribe(
                DESTINATION,
                "c",
                SubscribeSettings.defaults().withAckWithin(Duration.ofMinutes(5)))) {
      get(transport.publish(Message.of(DESTINATION, "before").withOrderingKey("k")));
      reader.acknowledge(
          receive(reader, 1)); // it has all partitions now, for as long as this takes
      get(transport.publish(Message.of(DESTINATION, "lost").withOrderingKey("k")));
      redis.freeze();
      assertThatThrownBy(() -> reader.receive(10, LIMIT)).isInstanceOf(StoreException.class);
      redis.thaw(); // and now Redis runs the old command, whose caller is gone
      get(transport.publish(Message.of(DESTINATION, "after").withOrderingKey("k")));
      List<String> came = new ArrayList<>();
      drain(reader, came, 2);
      assertThat(came).containsExactly("lost", "after");
    }
  }

  @Test
  @Tag("service")
  void anAnswerThatWasLostIsFoundAsADuplicate() {
    try (RedisService redis = RedisService.start();
        RedisStreamsTransport transport = connect(redis, "2s")) {
      get(transport.publish(Message.of(DESTINATION, "before"))); // so that its partitions are known
      Message message = Message.of(DESTINATION, "slow");
      redis.freeze();
      PublishFailed failed =
          catchThrowableOfType(PublishFailed.class, () -> get(transport.publish(message)));
      redis.thaw();
      assertThat(failed.kind()).isEqualTo(Kind.UNREACHABLE);
      await().ignoreExceptions().until(() -> get(transport.publish(message)).duplicate());
    }
  }
}

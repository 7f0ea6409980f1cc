package dev.semel.redis;

import static dev.semel.tck.messages.TransportCalls.LIMIT;
import static dev.semel.tck.messages.TransportCalls.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.StoreException;
import dev.semel.internal.Ids;
import dev.semel.junit.proof.ProofRun;
import dev.semel.redis.internal.streams.StreamWire;
import dev.semel.testservices.RedisService;
import dev.semel.testservices.SharedServices;
import dev.semel.transport.Message;
import dev.semel.transport.SubscribeSettings;
import dev.semel.transport.spi.Delivery;
import dev.semel.transport.spi.Subscription;
import io.lettuce.core.Range;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Consumers that join, read, acknowledge, retry and die, against a model of who has which messages.
 */
@ExtendWith(SharedServices.class)
final class StreamTrimmingTest {
  private static final int PARTITIONS = 2;
  private static final Duration LEASE = Duration.ofMillis(500);
  private static final SubscribeSettings SETTINGS =
      SubscribeSettings.defaults().withAckWithin(Duration.ofMillis(500));

  private final String destination = "trim." + Ids.uuid7();
  private final Set<String> sent = new HashSet<>();
  private final List<Reading> readings = new ArrayList<>();

  @SuppressWarnings("NullAway.Init")
  private RedisStreamsSettings settings;

  /** One consumer, its current life, and the messages that it certainly finished. */
  private final class Reading {
    private final String name;
    private final Set<String> finished = new HashSet<>();
    private RedisStreamsTransport transport;
    private Subscription subscription;

    Reading(String name) {
      this.name = name;
      this.transport = RedisStreamsTransport.connect(settings);
      this.subscription = transport.subscribe(destination, name, SETTINGS);
    }

    void liveAgain(boolean afterACrash) {
      if (!afterACrash) {
        subscription.close();
      }
      transport.close();
      transport = RedisStreamsTransport.connect(settings);
      subscription = transport.subscribe(destination, name, SETTINGS);
    }

    void read(Random random, boolean everything) throws InterruptedException {
      List<Delivery> got =
          subscription.receive(1 + random.nextInt(10), Duration.ofMillis(everything ? 50 : 5));
      List<Delivery> done = new ArrayList<>();
      boolean stopped = false; // no message of a key after one that is to be retried
      for (Delivery each : got) {
        stopped |= !everything && random.nextInt(4) == 0;
        if (stopped) {
          each.retry(Duration.ofMillis(random.nextInt(20)));
        } else {
          done.add(each);
        }
      }
      try {
        subscription.acknowledge(done);
        done.forEach(each -> finished.add(each.message().id()));
      } catch (StoreException e) {
        assertThat(e).hasMessageContaining("partition"); // slow machine: another life has it
      }
    }
  }

  @Test
  @Tag("service")
  void nothingUnreadIsEverTrimmedAndNothingReadStays(RedisService redis, TestReporter report)
      throws Exception {
    run(redis, report, 20261116, 300, 4);
  }

  @Test
  @Tag("proof")
  void nothingUnreadIsEverTrimmedInALongRun(RedisService redis, TestReporter report)
      throws Exception {
    run(redis, report, ProofRun.seed(), ProofRun.volume(5000, 50_000), ProofRun.volume(60, 600));
  }

  private void run(RedisService redis, TestReporter report, long seed, int steps, int lives)
      throws Exception {
    report.publishEntry(Map.of("seed", "" + seed, "messages", "" + steps, "restarts", "" + lives));
    Random random = new Random(seed);
    settings = RedisStreamsSettings.of(redis.url()).withPartitions(PARTITIONS).withLease(LEASE);
    RedisClient client = RedisClient.create(redis.url());
    RedisCommands<String, String> redisItself = client.connect().sync();
    try (RedisStreamsTransport publisher = RedisStreamsTransport.connect(settings)) {
      for (String name : List.of("one", "two", "three")) {
        readings.add(new Reading(name));
      }
      for (int step = 0; step < steps; step++) {
        Message message = Message.of(destination, "m" + step).withOrderingKey("k" + step % 5);
        get(publisher.publish(message));
        sent.add(message.id());
        Reading reading = readings.get(random.nextInt(readings.size()));
        reading.read(random, false);
        if (step % (steps / lives) == 1) {
          reading.liveAgain(random.nextBoolean());
        }
        assertThat(kept(redisItself)).as("step %d", step).containsAll(needed());
      }
      long start = System.nanoTime();
      while (!needed().isEmpty() && System.nanoTime() - start < LIMIT.toNanos()) {
        for (Reading reading : readings) {
          reading.read(random, true);
        }
      }
      assertThat(needed()).isEmpty();
      assertThat(kept(redisItself)).isEmpty();
    } finally {
      readings.forEach(each -> each.transport.close());
      client.shutdown();
    }
  }

  /** Messages that some consumer has not finished. */
  private Set<String> needed() {
    Set<String> needed = new HashSet<>(sent);
    needed.removeIf(id -> readings.stream().allMatch(each -> each.finished.contains(id)));
    return needed;
  }

  private Set<String> kept(RedisCommands<String, String> redisItself) {
    Set<String> kept = new HashSet<>();
    for (int partition = 0; partition < PARTITIONS; partition++) {
      String stream = "semel:m:{" + destination + "/" + partition + "}";
      redisItself
          .xrange(stream, Range.unbounded())
          .forEach(entry -> kept.add(entry.getBody().get(StreamWire.ID)));
    }
    return kept;
  }
}

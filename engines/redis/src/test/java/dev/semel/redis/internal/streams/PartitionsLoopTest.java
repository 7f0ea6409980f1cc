package dev.semel.redis.internal.streams;

import static org.awaitility.Awaitility.await;

import dev.semel.loop.Platform;
import dev.semel.redis.internal.RedisLink;
import dev.semel.tck.Broken;
import dev.semel.tck.LoopWatch;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What becomes known of the loop that keeps partitions, when Redis can't be asked. */
final class PartitionsLoopTest {
  private static final Duration LEASE = Duration.ofMillis(300);
  private static final Duration SILENCE = Duration.ofHours(1);

  /** Its time begins so late that nobody has given a word for long. */
  private static final Platform LATE =
      new Platform() {
        private final long start = System.nanoTime();

        @Override
        public long nanos() {
          return SILENCE.multipliedBy(2).toNanos() + System.nanoTime() - start;
        }
      };

  @SuppressWarnings("unchecked") // it holds nothing
  private static RedisLink link() {
    return RedisLink.timedByClient(
        Broken.of(RedisClusterAsyncCommands.class), "Redis that is away", Duration.ofSeconds(1));
  }

  @Test
  void aRedisThatCanNotBeAskedIsTold() {
    ReaderGroup readership = new ReaderGroup("orders", "broken", 1, LEASE, SILENCE);
    LoopWatch watch = LoopWatch.of("semel-redis-lanes");
    try (PartitionLeases leases = new PartitionLeases(LATE, link(), readership, () -> {})) {
      leases.ensure(); // does not ask: nobody reads yet
      leases.word();
      await().untilAsserted(watch::assertTold);
    }
  }
}

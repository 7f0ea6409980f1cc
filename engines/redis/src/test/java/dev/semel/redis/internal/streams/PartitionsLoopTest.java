package dev.semel.redis.internal.streams;

import static org.awaitility.Awaitility.await;

import dev.semel.loop.Platform;
import dev.semel.redis.internal.RedisLink;
import dev.semel.tck.Broken;
import dev.semel.tck.LoopWatch;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The loop that keeps partitions reports its failures while Redis is unreachable. */
final class PartitionsLoopTest {
  private static final Duration LEASE = Duration.ofMillis(300);
  private static final Duration SILENCE = Duration.ofHours(1);

  /** A clock that starts late, so that the last sign of life is long ago. */
  private static final Platform LATE =
      new Platform() {
        private final long start = System.nanoTime();

        @Override
        public long nanos() {
          return SILENCE.multipliedBy(2).toNanos() + System.nanoTime() - start;
        }
      };

  @SuppressWarnings("unchecked") // it holds no resources
  private static RedisLink link() {
    return RedisLink.timedByClient(
        Broken.of(RedisClusterAsyncCommands.class), "Redis that is away", Duration.ofSeconds(1));
  }

  @Test
  void aRedisThatCanNotBeAskedIsTold() {
    ReaderGroup readership = new ReaderGroup("orders", "broken", 1, LEASE, SILENCE);
    LoopWatch watch = LoopWatch.of("semel-redis-lanes");
    try (PartitionLeases leases = new PartitionLeases(LATE, link(), readership, () -> {})) {
      leases.ensure(); // a sign of life alone makes no request, because nobody reads yet
      leases.word();
      await().untilAsserted(watch::assertTold);
    }
  }
}

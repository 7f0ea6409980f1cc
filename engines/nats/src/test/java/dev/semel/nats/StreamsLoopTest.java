package dev.semel.nats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.stream.StreamPath;
import dev.semel.stream.spi.SharedLog;
import dev.semel.tck.LoopWatch;
import dev.semel.testservices.NatsService;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The loop that reads the log of streams reports its failures. */
@Tag("service")
final class StreamsLoopTest {
  @Test
  void aFollowerWithABugIsTold() {
    LoopWatch watch = LoopWatch.of("semel-streams-follow");
    try (NatsService nats = NatsService.start();
        SharedLog log = JetStreamLog.open(StreamsSettings.parse(nats.url()))) {
      log.follow(
          0,
          (sequence, message) -> {
            throw new IllegalStateException("a bug in take");
          });
      SharedLog.Put put =
          log.put(new StreamPath("orders"), 0, new byte[1]).toCompletableFuture().join();
      assertThat(put).isInstanceOf(SharedLog.Put.Stored.class);
      await().untilAsserted(watch::assertTold);
    }
  }
}

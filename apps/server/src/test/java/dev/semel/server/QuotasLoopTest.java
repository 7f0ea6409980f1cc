package dev.semel.server;

import static org.awaitility.Awaitility.await;

import dev.semel.stream.MemoryStreams;
import dev.semel.stream.spi.Streams;
import dev.semel.tck.Broken;
import dev.semel.tck.LoopWatch;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The failing loop that counts stored bytes is reported. */
final class QuotasLoopTest {
  @Test
  void streamsThatCanNotBeCountedAreTold() {
    TokenAccount account =
        new TokenAccount(new byte[0], "tenant", new TokenQuota(0, 1), List.of("t"));
    LoopWatch watch = LoopWatch.of("semel-quotas");
    try (TokenQuotas quotas = new TokenQuotas(List.of(account))) {
      quotas.start(countedOnce());
      await().untilAsserted(watch::assertTold);
    }
  }

  /** The first count must succeed, because it is a part of the server's start. */
  private static Streams countedOnce() {
    MemoryStreams real = new MemoryStreams(InstantSource.system());
    AtomicInteger counts = new AtomicInteger();
    return Broken.of(
        Streams.class,
        Map.of(
            "list",
            () -> {
              if (counts.incrementAndGet() > 1) {
                throw new IllegalStateException("a bug in list");
              }
              return real.list("t", "", 1);
            }));
  }
}

package dev.semel.micrometer;

import static org.awaitility.Awaitility.await;

import dev.semel.idempotency.spi.Store;
import dev.semel.tck.Broken;
import dev.semel.tck.LoopWatch;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The loop that reads gauges reports its failures. */
@SuppressWarnings("try") // meters are read while they are open
final class MetersLoopTest {
  private static final MeterSettings OFTEN = new MeterSettings(1, 1, Duration.ofMillis(100));

  @Test
  void aStoreThatCanNotBeReadIsTold() {
    LoopWatch watch = LoopWatch.of("semel-meters");
    try (StatusMeters meters =
        StatusMeters.start(
            new SimpleMeterRegistry(), StatusMeters.Sources.of(Broken.of(Store.class)), OFTEN)) {
      await().untilAsserted(watch::assertTold);
    }
  }
}

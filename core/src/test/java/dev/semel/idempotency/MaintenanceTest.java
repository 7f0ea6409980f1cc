package dev.semel.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.event.Event;
import dev.semel.idempotency.spi.Store;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class MaintenanceTest {
  private final List<Event> events = new CopyOnWriteArrayList<>();

  private static Store offBy(Duration skew) {
    return new DisturbedStore(new MemoryStore(InstantSource.system())) {
      @Override
      public Instant now() {
        return Instant.now().plus(skew);
      }
    };
  }

  @Test
  void aClockThatIsFarOffIsReported() {
    try (Maintenance maintenance = Maintenance.start(offBy(Duration.ofMinutes(5)), events::add)) {
      assertThat(maintenance.reporter()).isNotNull();
      await().until(() -> !events.isEmpty());
    }
    assertThat(events).hasSize(1);
    Duration ahead = ((Event.ClockSkewed) events.getFirst()).ahead();
    // Off by half the time that the store took to say, which is long on a busy machine.
    assertThat(ahead).isBetween(Duration.ofMinutes(-6), Duration.ofMinutes(-4));
  }

  @Test
  void aClockThatIsNearlyRightIsNot() {
    Maintenance maintenance = Maintenance.start(offBy(Duration.ofMillis(500)), events::add);
    maintenance.lookAtTheClock();
    maintenance.close();
    assertThat(events).isEmpty();
  }
}

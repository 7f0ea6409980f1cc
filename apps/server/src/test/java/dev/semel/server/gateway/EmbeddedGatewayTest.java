package dev.semel.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.semel.event.Event;
import dev.semel.event.ProcessEvents;
import dev.semel.event.spi.EventStore;
import dev.semel.idempotency.MemoryStore;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** A gateway inside a program does everything that {@code semel gateway} does. */
class EmbeddedGatewayTest {
  /** Far longer than a test: an end before it means that the gateway released the caller. */
  private static final Duration LONG = Duration.ofMinutes(15);

  @Test
  void aGatewayThatClosesIsNotReadyAndServesOnForTheDrain() throws Exception {
    try (Guarding guarding = Guarding.with(settings -> settings.withDrain(LONG))) {
      Thread closing = Thread.ofVirtual().start(guarding.gateway::close);
      await().until(() -> guarding.send("GET", "/.semel/readyz", "").statusCode() == 503);

      HttpResponse<String> answer = guarding.click("/charge", "k");
      assertThat(answer.statusCode()).isLessThan(300);
      assertThat(Guarding.header(answer, "Connection")).isEqualTo("close");
      assertThat(closing.isAlive()).isTrue();

      closing.interrupt();
      closing.join();
      assertThatThrownBy(() -> guarding.send("GET", "/.semel/healthz", ""))
          .isInstanceOf(UncheckedIOException.class);
    }
  }

  @Test
  void theDrainCanBeSkipped() {
    try (Guarding guarding = Guarding.with(settings -> settings.withDrain(LONG))) {
      guarding.gateway.close(Duration.ZERO);
    }
  }

  @Test
  void decisionsAndWhatConcernsTheProcessAreHeardUntilTheGatewayCloses() {
    List<Event> heard = new CopyOnWriteArrayList<>();
    Event failed = new Event.LoopFailed("a-loop-of-the-program", 1, "a reason");
    try (Guarding guarding = Guarding.start();
        MemoryStore store = new MemoryStore(InstantSource.system())) {
      GatewaySettings settings =
          GatewaySettings.to(guarding.backend.upstream()).withAddress("127.0.0.1", 0, false);
      try (Gateway gateway = Gateway.start(settings, store, heard::add)) {
        assertThat(gateway.port()).isPositive();
        ProcessEvents.emit(failed);
        assertThat(heard).contains(failed);
      }
      // Everything pending at the close was written.
      assertThat(store.events().latest(EventStore.MAX_PAGE))
          .anyMatch(line -> line.kind().equals("loop-failed"));
      heard.clear();
      ProcessEvents.emit(failed);
      assertThat(heard).doesNotContain(failed);
    }
  }
}

package dev.semel.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.FirstExecution;
import dev.semel.Key;
import dev.semel.event.Event;
import dev.semel.event.EventLine;
import dev.semel.event.internal.MemoryEvents;
import dev.semel.event.spi.EventSink;
import dev.semel.json.Json;
import dev.semel.json.JsonPointer;
import dev.semel.json.JsonValue;
import dev.semel.loop.Platform;
import dev.semel.webhook.internal.EventFeed;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Which lines of the event log are passed on. */
class EventFeedTest {
  private static final FirstExecution FIRST =
      new FirstExecution("r1", 1, Duration.ofSeconds(3), Duration.ofHours(1));

  private final MemoryEvents events = new MemoryEvents(InstantSource.system());
  private final EventSink sink = new EventSink(events, InstantSource.system(), key -> false);

  private void happens(Event... all) {
    List.of(all).forEach(sink::on);
    sink.flush();
  }

  @Test
  void duplicatesOfTheChosenOperationsAreToldOnce() {
    happens(new Event.Replayed(Key.of("payments", "before"), "", FIRST));
    List<EventLine> told = new CopyOnWriteArrayList<>();
    EventFeed.Filter filter = new EventFeed.Filter(EventFeed.Filter.DUPLICATES, Set.of("payments"));
    EventFeed feed = EventFeed.start(Platform.REAL, events, filter, told::add);
    try {
      await()
          .until(
              () -> {
                happens(
                    new Event.Claimed(Key.of("payments", "1"), "", 1),
                    new Event.Replayed(Key.of("payments", "1"), "", FIRST),
                    new Event.Replayed(Key.of("emails", "1"), "", FIRST));
                return !told.isEmpty();
              });
    } finally {
      feed.close();
    }
    assertThat(told)
        .allMatch(line -> line.kind().equals("replayed") && line.operation().equals("payments"))
        .noneMatch(line -> line.personal().id().equals("before"))
        .extracting(EventLine::number)
        .doesNotHaveDuplicates();
  }

  @Test
  void aLineIsTheSameDeliveryWheneverItIsTold() {
    happens(new Event.Replayed(Key.of("payments", "k1"), "r2", FIRST));
    EventLine line = events.latest(1).getFirst();
    WebhookDelivery delivery = WebhookDelivery.of(line, 1);
    assertThat(WebhookDelivery.of(line, 2).id()).isEqualTo(delivery.id());
    JsonValue body = Json.parse(delivery.body());
    assertThat(JsonPointer.parse("/event/kind").in(body)).contains(JsonValue.of("replayed"));
    assertThat(JsonPointer.parse("/event/key").in(body)).contains(JsonValue.of("k1"));
    assertThat(JsonPointer.parse("/event/details/age_ms").in(body)).contains(JsonValue.of(3000));
  }
}

package dev.semel.idempotency;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.event.Event;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class IdempotentFunctionTest {
  private final MemoryStore store = new MemoryStore(InstantSource.system());
  private final List<Event> events = new CopyOnWriteArrayList<>();
  private final List<String> charged = new CopyOnWriteArrayList<>();
  private final Idempotency idempotency = new Idempotency(store, events::add);

  @AfterEach
  void close() {
    idempotency.close();
  }

  private IdempotentFunction<byte[], String, RuntimeException> charging(
      KeyStrategy<byte[]> strategy) {
    return idempotency.decorate(
        Rules.of("payment", strategy, Codec.utf8()),
        (body, execution) -> {
          charged.add(new String(body, StandardCharsets.UTF_8));
          return "receipt " + charged.size();
        });
  }

  private static byte[] json(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void aPlainFunctionHandlesEachRequestOnce() {
    IdempotentFunction<byte[], String, RuntimeException> charge =
        charging(KeyStrategies.contentHash("order", "amount"));

    assertThat(charge.apply(json("{\"order\":1,\"amount\":10,\"sent\":\"now\"}")).value())
        .contains("receipt 1");
    assertThat(charge.apply(json("{\"amount\":10.0,\"order\":1,\"sent\":\"later\"}")).value())
        .contains("receipt 1");
    assertThat(charge.apply(json("{\"order\":2,\"amount\":10}")).value()).contains("receipt 2");
    assertThat(charged).hasSize(2);
  }

  @Test
  void requestsWhoseShortHashesCollideAreKeptApartAndReported() {
    IdempotentFunction<byte[], String, RuntimeException> charge =
        charging(KeyStrategies.hybrid(1, "order"));

    for (int round = 0; round < 2; round++) {
      for (int order = 0; order < 40; order++) { // more than one hexadecimal digit can tell apart
        assertThat(charge.apply(json("{\"order\":" + order + "}")).value())
            .contains("receipt " + (order + 1));
      }
    }
    assertThat(charged).hasSize(40);
    assertThat(events).anyMatch(Event.Collided.class::isInstance);
    assertThat(events).noneMatch(Event.Mismatched.class::isInstance);
  }

  @Test
  void aRequestThatWasMovedIsFoundAgainAfterTheOtherOneExpired() {
    IdempotentFunction<byte[], String, RuntimeException> charge =
        charging(KeyStrategies.hybrid(1, "order"));
    for (int order = 0; order < 40; order++) {
      charge.apply(json("{\"order\":" + order + "}"));
    }
    store.list("", "", KeyCatalog.MAX_PAGE).entries().stream()
        .map(Entry::key)
        .filter(key -> !key.id().contains("#"))
        .forEach(store::delete); // as their retention would

    List<String> before = List.copyOf(charged);
    events.stream()
        .filter(Event.Collided.class::isInstance)
        .map(event -> ((Event.Collided) event).movedTo())
        .forEach(moved -> assertThat(store.find(moved)).isPresent());
    int moved = store.list("", "", KeyCatalog.MAX_PAGE).entries().size();
    for (int order = 0; order < 40; order++) {
      charge.apply(json("{\"order\":" + order + "}"));
    }
    assertThat(charged).hasSize(before.size() + 40 - moved);
  }
}

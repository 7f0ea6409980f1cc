package dev.semel.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.InvalidInput;
import dev.semel.Operation;
import dev.semel.Tenant;
import dev.semel.event.Event;
import dev.semel.idempotency.spi.KeyCatalog;
import dev.semel.idempotency.spi.KeyEntry;
import dev.semel.idempotency.spi.RecordState;
import dev.semel.idempotency.spi.SettingsStore;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
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

  private IdempotentFunction<byte[], String> charging(KeyStrategy<byte[]> strategy) {
    return charge(OperationRules.of("payment", strategy, Codec.utf8()));
  }

  private IdempotentFunction<byte[], String> charge(OperationRules<byte[], String> rules) {
    return idempotency.decorate(
        rules,
        (body, execution) -> {
          charged.add(new String(body, StandardCharsets.UTF_8));
          return "receipt " + charged.size();
        });
  }

  /** Each call would draw a new id, and no two would ever be duplicates. */
  @Test
  void aStrategyThatDrawsANewIdForEveryCallIsRefused() {
    KeyStrategy<String> drawn = KeyStrategies.uuid7();
    KeyStrategy<byte[]> ofAPart =
        KeyStrategies.<String>uuid7().taking(body -> new String(body, StandardCharsets.UTF_8));
    assertThatThrownBy(() -> charging(KeyStrategies.uuid7()))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("payment")
        .hasMessageContaining("a new id at every call")
        .hasMessageContaining("KeyStrategies.own(");
    assertThatThrownBy(() -> charging(ofAPart)).isInstanceOf(InvalidInput.class);
    assertThat(drawn.keying("for a producer").id()).hasSize(36);
  }

  private static byte[] json(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void aPlainFunctionHandlesEachRequestOnce() {
    IdempotentFunction<byte[], String> charge =
        charging(KeyStrategies.contentHash("order", "amount"));

    assertThat(charge.apply(json("{\"order\":1,\"amount\":10,\"sent\":\"now\"}")).value())
        .contains("receipt 1");
    assertThat(charge.apply(json("{\"amount\":10.0,\"order\":1,\"sent\":\"later\"}")).value())
        .contains("receipt 1");
    assertThat(charge.apply(json("{\"order\":2,\"amount\":10}")).value()).contains("receipt 2");
    assertThat(charged).hasSize(2);
  }

  @Test
  void tenantsHaveTheirOwnKeys() {
    OperationRules<byte[], String> rules =
        OperationRules.of("payment", KeyStrategies.contentHash("order"), Codec.utf8());
    for (int round = 0; round < 2; round++) {
      assertThat(charge(rules).apply(json("{\"order\":1}")).value()).contains("receipt 1");
      assertThat(charge(rules.withTenant(new Tenant("acme"))).apply(json("{\"order\":1}")).value())
          .contains("receipt 2");
    }
  }

  @Test
  void requestsWhoseShortHashesCollideAreKeptApartAndReported() {
    IdempotentFunction<byte[], String> charge = charging(KeyStrategies.hybrid(1, "order"));

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
    IdempotentFunction<byte[], String> charge = charging(KeyStrategies.hybrid(1, "order"));
    for (int order = 0; order < 40; order++) {
      charge.apply(json("{\"order\":" + order + "}"));
    }
    store.list("", "", KeyCatalog.MAX_PAGE).entries().stream()
        .map(KeyEntry::key)
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

  private IdempotentFunction<byte[], String> charging(
      Idempotency in, OperationRules<byte[], String> rules) {
    return in.decorate(
        rules,
        (body, execution) -> {
          charged.add(new String(body, StandardCharsets.UTF_8));
          return "receipt " + charged.size();
        });
  }

  /**
   * Old only, both, new only: whichever two neighbouring steps of a change meet, a request that one
   * has handled is known to the other.
   */
  @Test
  void aStrategyIsReplacedWithoutARequestBeingHandledTwice() {
    KeyStrategy<byte[]> old = KeyStrategies.hybrid("order");
    KeyStrategy<byte[]> next = KeyStrategies.contentHash("order", "amount");
    var before = charging(idempotency, OperationRules.of("payment", old, Codec.utf8()));
    var between =
        charging(
            idempotency,
            OperationRules.<byte[], String>of("payment", next, Codec.utf8()).replacing(old));
    var after = charging(idempotency, OperationRules.of("payment", next, Codec.utf8()));
    byte[] first = json("{\"order\":1,\"amount\":10}");
    byte[] second = json("{\"order\":2,\"amount\":10}");

    before.apply(first);
    assertThat(between.apply(first)).isInstanceOf(Outcome.Replayed.class);
    between.apply(second);
    assertThat(before.apply(second)).isInstanceOf(Outcome.Replayed.class);
    assertThat(after.apply(second)).isInstanceOf(Outcome.Replayed.class);
    assertThat(between.apply(second)).isInstanceOf(Outcome.Replayed.class);
    assertThat(charged).hasSize(2);
    // A key that was granted while the other one was not must not stay in flight.
    assertThat(store.list("", "", KeyCatalog.MAX_PAGE).entries())
        .noneMatch(entry -> entry.existing().state() == RecordState.IN_FLIGHT);
  }

  @Test
  void whileAStrategyIsReplacedARequestInFlightIsSeenFromBothSides() {
    KeyStrategy<byte[]> old = KeyStrategies.contentHash("order");
    KeyStrategy<byte[]> next = KeyStrategies.contentHash("amount");
    byte[] body = json("{\"order\":1,\"amount\":10}");
    var before = charging(idempotency, OperationRules.of("payment", old, Codec.utf8()));
    var after = charging(idempotency, OperationRules.of("payment", next, Codec.utf8()));
    var between =
        idempotency.decorate(
            OperationRules.<byte[], String>of("payment", next, Codec.utf8()).replacing(old),
            (request, execution) -> {
              assertThat(before.apply(request)).isInstanceOf(Outcome.InFlight.class);
              assertThat(after.apply(request)).isInstanceOf(Outcome.InFlight.class);
              return "receipt";
            });
    assertThat(between.apply(body).value()).contains("receipt");
    assertThat(charged).isEmpty();
  }

  @Test
  void workThatFailsWhileAStrategyIsReplacedGivesBothKeysBack() {
    KeyStrategy<byte[]> old = KeyStrategies.contentHash("order");
    KeyStrategy<byte[]> next = KeyStrategies.contentHash("amount");
    byte[] body = json("{\"order\":1,\"amount\":10}");
    var between =
        idempotency.<byte[], String>decorate(
            OperationRules.<byte[], String>of("payment", next, Codec.utf8()).replacing(old),
            (request, execution) -> {
              throw new IllegalStateException("declined");
            });
    assertThatThrownBy(() -> between.apply(body)).isInstanceOf(IllegalStateException.class);
    charging(idempotency, OperationRules.of("payment", old, Codec.utf8())).apply(body);
    charging(idempotency, OperationRules.of("payment", next, Codec.utf8())).apply(body);
    assertThat(charged).hasSize(2);
  }

  private void set(OperationSetting setting, String value) {
    Operation operation = new Operation("payment");
    SettingsStore.Stored stored =
        store.settings().readAll().getOrDefault(operation, new SettingsStore.Stored(0, "{}"));
    OperationSettings next =
        OperationSettings.parse(stored.text()).with(Map.of(setting, value), Instant.now());
    store.settings().write(operation, stored.version(), next.text());
    idempotency.settings().refresh();
  }

  @Test
  void anOperatorReplacesTheStrategyOfARunningFunction() {
    var charge =
        charging(
            idempotency,
            OperationRules.<byte[], String>of(
                    "payment", KeyStrategies.contentHash("order"), Codec.utf8())
                .withBody(body -> body));
    set(OperationSetting.STRATEGY, "content-hash(order)");
    charge.apply(json("{\"order\":1,\"amount\":10}"));
    set(OperationSetting.STRATEGY, "hybrid(order,amount)");
    assertThat(charge.apply(json("{\"order\":1,\"amount\":10}")))
        .isInstanceOf(Outcome.Replayed.class);
    charge.apply(json("{\"order\":2,\"amount\":10}"));
    assertThat(charged).hasSize(2);
    set(
        OperationSetting.OLD_STRATEGY_UNTIL,
        "2020-01-01T00:00:00Z"); // as if a retention had passed
    charge.apply(json("{\"order\":2,\"amount\":11}"));
    assertThat(charged).hasSize(3);
  }

  @Test
  void aShadowStrategyIsComparedAndDecidesNothing() {
    var charge =
        charging(
            idempotency,
            OperationRules.<byte[], String>of(
                    "payment", KeyStrategies.contentHash("order"), Codec.utf8())
                .withBody(body -> body));
    set(OperationSetting.SHADOW, "content-hash(order,amount)");
    charge.apply(json("{\"order\":1,\"amount\":10}"));
    charge.apply(json("{\"order\":1,\"amount\":10}"));
    assertThat(events).noneMatch(Event.StrategiesDiffer.class::isInstance);
    charge.apply(json("{\"order\":1,\"amount\":11}"));
    set(OperationSetting.SHADOW, "content-hash(amount)");
    charge.apply(json("{\"order\":3,\"amount\":12}"));
    charge.apply(json("{\"order\":4,\"amount\":12}"));
    assertThat(events)
        .filteredOn(Event.StrategiesDiffer.class::isInstance)
        .extracting(event -> ((Event.StrategiesDiffer) event).difference())
        .containsExactly(
            Event.StrategiesDiffer.Difference.ONLY_CURRENT_SEES_A_DUPLICATE,
            Event.StrategiesDiffer.Difference.ONLY_SHADOW_SEES_A_DUPLICATE);
    assertThat(charged).hasSize(3);
  }

  @Test
  void aStrategyThatAnOperatorTakesAwayStillCounts() {
    var charge =
        charging(
            idempotency,
            OperationRules.<byte[], String>of(
                    "payment", KeyStrategies.contentHash("order"), Codec.utf8())
                .withBody(body -> body));
    set(OperationSetting.STRATEGY, "content-hash(amount)");
    charge.apply(json("{\"order\":1,\"amount\":10}"));
    set(OperationSetting.STRATEGY, "");
    assertThat(charge.apply(json("{\"order\":1,\"amount\":10}")))
        .isInstanceOf(Outcome.Replayed.class);
    assertThat(charged).hasSize(1);
  }

  @Test
  void whatHasNoKeyUnderAnOldStrategyOrAShadowIsHandledAllTheSame() {
    var charge =
        charging(
            idempotency,
            OperationRules.<byte[], String>of(
                    "payment", KeyStrategies.contentHash("order"), Codec.utf8())
                .replacing(KeyStrategies.contentHash("legacy"))
                .withBody(body -> body));
    charge.apply(json("{\"order\":1}"));
    set(OperationSetting.SHADOW, "content-hash(customer)");
    charge.apply(json("{\"order\":2}"));
    assertThat(charged).hasSize(2);
  }
}

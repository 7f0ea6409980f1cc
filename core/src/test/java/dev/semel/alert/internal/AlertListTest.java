package dev.semel.alert.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.alert.Alert;
import dev.semel.alert.AlertRule;
import dev.semel.alert.AlertSettings;
import dev.semel.alert.Measured;
import dev.semel.event.Event;
import dev.semel.idempotency.spi.DecisionCounter;
import dev.semel.json.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** From pending to firing to resolved, and what does not get that far. */
class AlertListTest {
  private final Measured world = new Measured(AlertSettings.defaults());

  private List<Alert> swinging(int times, long one, long other) {
    List<Alert> told = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      world.room(i % 2 == 0 ? one : other, 100);
      told.addAll(world.step());
    }
    return told;
  }

  @Test
  void whatFlapsBeforeItFiredIsNoAlert() {
    assertThat(swinging(100, 90, 10)).isEmpty();
    assertThat(world.alerts().list()).allMatch(a -> a.state() == Alert.State.PENDING);
  }

  @Test
  void whatFlapsOnceItFiredIsOneAlert() {
    world.room(90, 100);
    assertThat(world.pass(Duration.ofMinutes(1))).hasSize(1);
    assertThat(swinging(1000, 10, 90)).isEmpty();
    assertThat(swinging(1000, 78, 82)).isEmpty();
    world.room(10, 100);
    List<Alert> over = world.pass(Duration.ofMinutes(5));
    assertThat(over).extracting(Alert::state).containsExactly(Alert.State.RESOLVED);
  }

  @Test
  void itIsPendingUntilItsTimeHasPassed() {
    world.room(90, 100);
    assertThat(world.step()).isEmpty();
    Alert pending = world.alerts().list().getFirst();
    assertThat(pending.state()).isEqualTo(Alert.State.PENDING);
    Alert firing = world.pass(Duration.ofMinutes(1)).getFirst();
    assertThat(firing.began()).isEqualTo(pending.began());
    assertThat(firing.since()).isEqualTo(pending.began().plus(Duration.ofMinutes(1)));
    assertThat(firing.id()).isEqualTo(pending.id());
  }

  @Test
  void whatIsSeenNowIsShownAsLongAsItLasts() {
    world.room(90, 100).pass(Duration.ofMinutes(2));
    world.room(95, 100).step();
    Alert shown = world.alerts().list().getFirst();
    assertThat(shown.seen()).isEqualTo(95);
    assertThat(shown.text()).contains("95 %");
    assertThat(shown.state()).isEqualTo(Alert.State.FIRING);
  }

  @Test
  void whatComesBackIsAnotherAlert() {
    world.room(90, 100);
    Alert first = world.pass(Duration.ofMinutes(1)).getFirst();
    world.room(10, 100);
    Alert over = world.pass(Duration.ofMinutes(5)).getFirst();
    assertThat(over.id()).isEqualTo(first.id());
    world.room(90, 100);
    Alert second = world.pass(Duration.ofMinutes(1)).getFirst();
    assertThat(second.id()).isNotEqualTo(first.id());
    assertThat(world.alerts().list()).containsExactly(second);
  }

  @Test
  void whatIsOverIsShownForADay() {
    world.count("payments", Map.of(DecisionCounter.RAN_TWICE, 1L)).step();
    world.pass(Duration.ofHours(1));
    assertThat(world.alerts().list())
        .extracting(Alert::state)
        .containsExactly(Alert.State.RESOLVED);
    world.skip(Duration.ofHours(22));
    world.step();
    assertThat(world.alerts().list()).hasSize(1);
    world.skip(Duration.ofHours(2));
    world.step();
    assertThat(world.alerts().list()).isEmpty();
  }

  @Test
  void ofWhatIsOverOnlySoManyAreKept() {
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < MinuteWindows.MAX_SUBJECTS; i++) {
        world.count("op" + round + "-" + i, Map.of(DecisionCounter.FENCED, 1L));
      }
      world.pass(Duration.ofMinutes(30));
    }
    assertThat(world.alerts().list()).hasSize(AlertList.MAX_RESOLVED);
    assertThat(world.alerts().list()).allMatch(alert -> alert.subject().startsWith("op1-"));
  }

  @Test
  void thoseThatFireComeFirstAndOfThemThoseThatAreWorse() {
    world
        .count("payments", Map.of(DecisionCounter.FENCED, 1L))
        .outbox(0, Map.of("orders", Duration.ofHours(1)))
        .room(90, 100)
        .step();
    assertThat(world.alerts().list())
        .extracting(Alert::rule)
        .containsExactly(AlertRule.OUTBOX_LAG, AlertRule.FENCED, AlertRule.MEMORY);
  }

  @Test
  void programsGetAllOfIt() {
    world.outbox(0, Map.of("orders", Duration.ofMillis(400_250)));
    Alert alert = world.step().getFirst();
    assertThat(Json.write(alert.json()))
        .isEqualTo(
            "{\"id\":\"outbox-lag/orders/1767225600000\",\"alert\":\"outbox-lag\","
                + "\"subject\":\"orders\",\"state\":\"firing\",\"severity\":\"critical\","
                + "\"began\":\"2026-01-01T00:00:00Z\",\"since\":\"2026-01-01T00:00:00Z\","
                + "\"seen\":400.25,\"limit\":300,\"unit\":\"seconds\","
                + "\"text\":\"the oldest message of the outbox for orders has waited for 6m40s;"
                + " the limit is 5m\",\"advice\":\"%s\",\"runbook\":\"docs/runbooks/outbox-lag.md\"}"
                    .formatted(AlertRule.OUTBOX_LAG.advice()));
  }

  @Test
  void listenersAreToldWhatToDoWhileItFires() {
    world.room(90, 100);
    Event.AlertChanged begins = world.pass(Duration.ofMinutes(1)).getFirst().event();
    assertThat(begins.firing()).isTrue();
    assertThat(begins.advice()).startsWith("shorten").endsWith("(docs/runbooks/memory.md)");
    world.room(10, 100);
    Event.AlertChanged ends = world.pass(Duration.ofMinutes(5)).getFirst().event();
    assertThat(ends.firing()).isFalse();
    assertThat(ends.advice()).isEmpty();
  }

  @Test
  void whoLooksOnceSeesAtOnceWhatIsBeyondItsLimit() {
    Measured once = new Measured(AlertSettings.defaults().atOnce());
    once.room(90, 100).ended(2000);
    assertThat(once.step()).hasSize(2);
  }
}

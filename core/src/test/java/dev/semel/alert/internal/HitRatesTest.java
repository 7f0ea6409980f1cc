package dev.semel.alert.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.alert.Alert;
import dev.semel.alert.AlertRule;
import dev.semel.alert.AlertSettings;
import dev.semel.alert.Measured;
import dev.semel.idempotency.spi.DecisionCounter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Duplicates, held against what an operation's own past says. */
class HitRatesTest {
  private final Measured world = new Measured(AlertSettings.defaults());

  /** So many minutes with a hundred requests each. */
  private List<Alert> minutes(int count, long duplicates) {
    List<Alert> told = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      world.count(
          "webhooks",
          Map.of(DecisionCounter.REQUESTS, 100L, DecisionCounter.DUPLICATES, duplicates));
      told.addAll(world.pass(Duration.ofMinutes(1)));
    }
    return told;
  }

  @Test
  void farMoreThanUsual() {
    assertThat(minutes(30, 5)).isEmpty();
    List<Alert> told = minutes(3, 60);
    assertThat(told).hasSize(1);
    assertThat(told.getFirst().rule()).isEqualTo(AlertRule.HIT_RATE);
    assertThat(told.getFirst().subject()).isEqualTo("webhooks");
    assertThat(told.getFirst().text())
        .startsWith("60 % of the requests of webhooks are duplicates")
        .endsWith("the limit is 20 %");
    assertThat(minutes(10, 5)).extracting(Alert::state).containsExactly(Alert.State.RESOLVED);
  }

  @Test
  void farLessThanUsual() {
    assertThat(minutes(30, 60)).as("what was so from the start is usual").isEmpty();
    List<Alert> told = minutes(3, 10);
    assertThat(told).hasSize(1);
    assertThat(told.getFirst().limit()).isEqualTo(30);
    assertThat(told.getFirst().seen()).isEqualTo(10);
    assertThat(minutes(10, 60)).extracting(Alert::state).containsExactly(Alert.State.RESOLVED);
  }

  @Test
  void whatSwingsAboutTheBorderIsOneAlert() {
    minutes(30, 5);
    List<Alert> told = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      told.addAll(minutes(1, i % 2 == 0 ? 22 : 18));
    }
    assertThat(told).hasSize(1);
  }

  @Test
  void fewRequestsSayNothing() {
    minutes(30, 60);
    List<Alert> told = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      world.count("webhooks", Map.of(DecisionCounter.REQUESTS, 4L));
      told.addAll(world.pass(Duration.ofMinutes(1)));
    }
    assertThat(told).isEmpty();
  }

  @Test
  void aLittleTrafficIsJudgedOnceThereWasEnoughOfIt() {
    minutes(30, 60);
    List<Alert> told = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      world.count("webhooks", Map.of(DecisionCounter.REQUESTS, 10L));
      told.addAll(world.pass(Duration.ofMinutes(1)));
    }
    assertThat(told).hasSize(1);
  }

  @Test
  void theSettingSaysBelowWhichShareAllAreAlike() {
    Measured eager = new Measured(AlertSettings.defaults().with("hit-rate=4%"));
    for (int i = 0; i < 30; i++) {
      eager.count(
          "webhooks", Map.of(DecisionCounter.REQUESTS, 100L, DecisionCounter.DUPLICATES, 1L));
      eager.pass(Duration.ofMinutes(1));
    }
    eager.count("webhooks", Map.of(DecisionCounter.REQUESTS, 100L, DecisionCounter.DUPLICATES, 6L));
    assertThat(eager.pass(Duration.ofMinutes(2))).hasSize(1);
  }

  @Test
  void whoseTrafficEndedIsNotUnusualForEver() {
    minutes(30, 60);
    assertThat(minutes(3, 10)).hasSize(1);
    assertThat(world.pass(Duration.ofHours(1)))
        .extracting(Alert::state)
        .containsExactly(Alert.State.RESOLVED);
  }
}

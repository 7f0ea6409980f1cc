package dev.semel.idempotency.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Operation;
import dev.semel.Tenant;
import dev.semel.event.Event;
import dev.semel.idempotency.spi.DecisionCounter;
import dev.semel.idempotency.spi.DecisionCounts;
import dev.semel.idempotency.spi.DuplicateAge;
import dev.semel.idempotency.spi.StatisticsStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class DuplicateStormsTest {
  private static final Operation WEBHOOKS = new Operation("webhooks");
  private static final StatisticsStore.Scope SCOPE =
      new StatisticsStore.Scope(Tenant.DEFAULT, WEBHOOKS);

  private final DuplicateStorms storms = new DuplicateStorms();

  /** So many windows in which each second has 100 requests, of which so many are duplicates. */
  private List<Event.DuplicateStorm> windows(int count, long duplicates, DuplicateAge age) {
    List<Event.DuplicateStorm> seen = new ArrayList<>();
    for (int second = 0; second < count * DuplicateStorms.WINDOW; second++) {
      DecisionCounts counts =
          new DecisionCounts(
              Map.of(DecisionCounter.REQUESTS, 100L, DecisionCounter.DUPLICATES, duplicates),
              Map.of(age, duplicates));
      storms.after(Map.of(SCOPE, counts)).forEach(event -> seen.add((Event.DuplicateStorm) event));
    }
    return seen;
  }

  private List<Event.DuplicateStorm> windows(int count, long duplicates) {
    return windows(count, duplicates, DuplicateAge.MINUTE);
  }

  @Test
  void suddenDuplicatesAreAStormOnceUntilTheyAreOver() {
    assertThat(windows(5, 2)).isEmpty();
    List<Event.DuplicateStorm> storm = windows(5, 45);
    assertThat(storm).hasSize(1);
    assertThat(storm.getFirst().operation()).isEqualTo(WEBHOOKS);
    assertThat(storm.getFirst().hitRate()).isEqualTo(45);
    assertThat(storm.getFirst().threshold()).isEqualTo(20);
    assertThat(storm.getFirst().over()).isFalse();
    assertThat(windows(5, 2)).extracting(Event.DuplicateStorm::over).containsExactly(true);
    assertThat(windows(5, 45)).extracting(Event.DuplicateStorm::over).containsExactly(false);
  }

  @Test
  void whatIsUsualForAnOperationIsNoStorm() {
    windows(100, 40);
    assertThat(windows(10, 42)).isEmpty();
    assertThat(windows(2, 90)).hasSize(1);
  }

  @Test
  void fewRequestsSayNothing() {
    DecisionCounts one =
        new DecisionCounts(Map.of(DecisionCounter.REQUESTS, 1L, DecisionCounter.DUPLICATES, 1L));
    for (int second = 0; second < HitRateBaseline.MIN_REQUESTS - 1; second++) {
      assertThat(storms.after(Map.of(SCOPE, one))).isEmpty();
    }
    for (int second = 0; second < DuplicateStorms.LONGEST_WINDOW; second++) {
      assertThat(storms.after(Map.of())).isEmpty();
    }
    assertThat(storms.after(Map.of(SCOPE, one))).isEmpty();
  }

  @Test
  void ratesBetweenCalmAndStormChangeNothing() {
    windows(1, 45);
    assertThat(windows(3, 18)).isEmpty();
  }

  @Test
  void suggestionFollowsFromWhenDuplicatesCome() {
    assertThat(windows(1, 50, DuplicateAge.SECOND).getFirst().suggestion()).contains("timeouts");
    windows(3, 0);
    assertThat(windows(1, 90, DuplicateAge.HOUR).getFirst().suggestion()).contains("sender");
  }

  private static DecisionCounts counts(long requests, long duplicates) {
    return new DecisionCounts(
        Map.of(DecisionCounter.REQUESTS, requests, DecisionCounter.DUPLICATES, duplicates));
  }

  @Test
  void secondsAreJudgedTogether() {
    for (int second = 1; second < DuplicateStorms.WINDOW; second++) {
      assertThat(storms.after(Map.of(SCOPE, counts(1000, 900)))).isEmpty();
    }
    assertThat(storms.after(Map.of(SCOPE, counts(1000, 900)))).hasSize(1);
  }

  @Test
  void windowWithFewRequestsGoesOnUntilThereAreEnough() {
    long each = HitRateBaseline.MIN_REQUESTS / (2L * DuplicateStorms.WINDOW);
    for (int second = 1; second < HitRateBaseline.MIN_REQUESTS / each; second++) {
      assertThat(storms.after(Map.of(SCOPE, counts(each, each)))).isEmpty();
    }
    assertThat(storms.after(Map.of(SCOPE, counts(each, each)))).hasSize(1);
  }

  @Test
  void whatTookTooLongIsForgotten() {
    storms.after(
        Map.of(SCOPE, counts(HitRateBaseline.MIN_REQUESTS - 1, HitRateBaseline.MIN_REQUESTS - 1)));
    for (int second = 1; second < DuplicateStorms.LONGEST_WINDOW; second++) {
      assertThat(storms.after(Map.of())).isEmpty();
    }
    for (int second = 0; second < DuplicateStorms.WINDOW; second++) {
      assertThat(storms.after(Map.of(SCOPE, counts(10, 0)))).isEmpty();
    }
  }

  @Test
  void fewDuplicatesAreNoStormHoweverFewThereUsedToBe() {
    windows(5, 0);
    assertThat(windows(5, 20)).isEmpty();
    assertThat(windows(1, 21)).hasSize(1);
  }

  @Test
  void stormIsNotTheUsualWhileItIsNew() {
    windows(5, 2);
    assertThat(windows(20, 45)).as("it began, and did not end by itself").hasSize(1);
  }

  @Test
  void stormThatLastsBecomesTheUsual() {
    windows(5, 2);
    assertThat(windows(100, 45)).extracting(Event.DuplicateStorm::over).endsWith(true);
  }

  @Test
  void operationsAreJudgedByThemselves() {
    Operation calm = new Operation("calm");
    StatisticsStore.Scope other = new StatisticsStore.Scope(Tenant.DEFAULT, calm);
    for (int second = 1; second < DuplicateStorms.WINDOW; second++) {
      storms.after(Map.of(SCOPE, counts(100, 90), other, counts(100, 0)));
    }
    assertThat(storms.after(Map.of(SCOPE, counts(100, 90), other, counts(100, 0))))
        .singleElement()
        .isInstanceOfSatisfying(
            Event.DuplicateStorm.class,
            storm -> {
              assertThat(storm.operation()).isEqualTo(WEBHOOKS);
              assertThat(storm.hitRate()).isEqualTo(90);
            });
  }

  @Test
  void tenantsOfAnOperationCountTogether() {
    StatisticsStore.Scope other = new StatisticsStore.Scope(new Tenant("other"), WEBHOOKS);
    for (int second = 1; second < DuplicateStorms.WINDOW; second++) {
      storms.after(Map.of(SCOPE, counts(100, 90), other, counts(100, 0)));
    }
    assertThat(storms.after(Map.of(SCOPE, counts(100, 90), other, counts(100, 0))))
        .singleElement()
        .isInstanceOfSatisfying(
            Event.DuplicateStorm.class, storm -> assertThat(storm.hitRate()).isEqualTo(45));
  }

  @Test
  void duplicatesOfTheSecondSecondAreEarlyToo() {
    assertThat(windows(1, 50, DuplicateAge.SECONDS_2).getFirst().suggestion()).contains("timeouts");
  }
}

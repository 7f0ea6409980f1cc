package dev.semel.alert.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.alert.Alert;
import dev.semel.alert.AlertRule;
import dev.semel.alert.AlertSettings;
import dev.semel.alert.Measured;
import dev.semel.idempotency.spi.DecisionCounter;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Every rule begins an alert and ends it. */
class RuleEvaluatorTest {
  private static final Duration LONG = Duration.ofHours(1);

  private final Measured world = new Measured(AlertSettings.defaults());

  private void fires(List<Alert> told, AlertRule rule, String subject) {
    assertThat(told).hasSize(1);
    Alert alert = told.getFirst();
    assertThat(alert.rule()).isEqualTo(rule);
    assertThat(alert.subject()).isEqualTo(subject);
    assertThat(alert.state()).isEqualTo(Alert.State.FIRING);
    assertThat(alert.seen()).isGreaterThan(alert.limit());
    assertThat(alert.text()).contains("the limit is " + rule.unit().brief(alert.limit()));
  }

  private void clears(List<Alert> told, AlertRule rule) {
    assertThat(told).extracting(Alert::state).containsExactly(Alert.State.RESOLVED);
    assertThat(told.getFirst().rule()).isEqualTo(rule);
    assertThat(AlertList.anyFires(world.alerts().list())).isFalse();
  }

  private static Map<DecisionCounter, Long> checks(long requests, long failed) {
    return Map.of(DecisionCounter.REQUESTS, requests, DecisionCounter.STORE_ERRORS, failed);
  }

  @Test
  void failingChecksOfAnOperation() {
    world.count("payments", checks(94, 6)).count("emails", checks(100, 0));
    assertThat(world.pass(Duration.ofSeconds(50))).isEmpty();
    fires(world.pass(Duration.ofSeconds(10)), AlertRule.ERROR_RATE, "payments");
    assertThat(world.alerts().list().getFirst().text())
        .isEqualTo("6 % of the checks of payments failed in the last 5m; the limit is 5 %");
    clears(world.pass(LONG), AlertRule.ERROR_RATE);
  }

  @Test
  void fewFailuresOfFewChecksSayNothing() {
    world.count("payments", checks(5, 5));
    assertThat(world.pass(LONG)).isEmpty();
  }

  @Test
  void exactlyAtTheLimitNothingBegins() {
    world.count("payments", checks(95, 5)).room(80, 100).ended(1000);
    world.outbox(0, Map.of("orders", Duration.ofMinutes(5)));
    assertThat(world.pass(Duration.ofMinutes(4))).isEmpty();
  }

  @Test
  void memory() {
    world.room(81, 100);
    assertThat(world.pass(Duration.ofSeconds(50))).isEmpty();
    fires(world.pass(Duration.ofSeconds(10)), AlertRule.MEMORY, "");
    world.room(76, 100);
    assertThat(world.pass(LONG)).as("between").isEmpty();
    world.room(75, 100);
    clears(world.pass(Duration.ofMinutes(5)), AlertRule.MEMORY);
  }

  @Test
  void diskOfTheJournal() {
    world.disk("journal", 90, 100);
    assertThat(world.pass(LONG)).as("at the limit").isEmpty();
    world.disk("journal", 91, 100);
    assertThat(world.pass(Duration.ofSeconds(50))).isEmpty();
    fires(world.pass(Duration.ofSeconds(10)), AlertRule.DISK, "journal");
    assertThat(world.alerts().list().getFirst().text())
        .isEqualTo("91 % of the disk of journal is taken; the limit is 90 %");
    world.disk("journal", 86, 100);
    assertThat(world.pass(LONG)).as("between").isEmpty();
    world.withoutDisks();
    assertThat(world.pass(LONG)).as("nobody can say").isEmpty();
    world.disk("journal", 85, 100);
    clears(world.pass(Duration.ofMinutes(5)), AlertRule.DISK);
  }

  @Test
  void recordsThatShouldBeGone() {
    world.ended(1001);
    assertThat(world.pass(Duration.ofSeconds(290))).isEmpty();
    fires(world.pass(Duration.ofSeconds(10)), AlertRule.EXPIRY_BACKLOG, "");
    world.ended(800);
    clears(world.pass(Duration.ofMinutes(1)), AlertRule.EXPIRY_BACKLOG);
  }

  @Test
  void messagesThatWait() {
    world.outbox(0, Map.of("orders", Duration.ofSeconds(301), "bills", Duration.ofSeconds(3)));
    fires(world.step(), AlertRule.OUTBOX_LAG, "orders");
    assertThat(world.alerts().list().getFirst().text())
        .isEqualTo(
            "the oldest message of the outbox for orders has waited for 5m1s; the limit is 5m");
    world.outbox(0, Map.of());
    clears(world.pass(Duration.ofMinutes(1)), AlertRule.OUTBOX_LAG);
  }

  @Test
  void clocksThatDiffer() {
    world.log(Map.of("w1", Duration.ofSeconds(-3), "", Duration.ofMillis(5)), 0);
    assertThat(world.pass(Duration.ofSeconds(50))).isEmpty();
    fires(world.pass(Duration.ofSeconds(10)), AlertRule.CLOCK_SKEW, "");
    world.log(Map.of("", Duration.ofMillis(5)), 0);
    clears(world.pass(Duration.ofMinutes(5)), AlertRule.CLOCK_SKEW);
  }

  @Test
  void zombiesThatWereFenced() {
    world.count("payments", Map.of(DecisionCounter.REQUESTS, 100L, DecisionCounter.FENCED, 1L));
    fires(world.step(), AlertRule.FENCED, "payments");
    clears(world.pass(LONG), AlertRule.FENCED);
  }

  @Test
  void workOfWhichNobodyKnows() {
    world.count("payments", Map.of(DecisionCounter.REQUESTS, 100L, DecisionCounter.IN_DOUBT, 1L));
    fires(world.step(), AlertRule.IN_DOUBT, "payments");
    clears(world.pass(LONG), AlertRule.IN_DOUBT);
    world.jobs(0, 2);
    fires(world.step(), AlertRule.IN_DOUBT, "jobs/emails");
    world.jobs(0, 0);
    clears(world.pass(LONG), AlertRule.IN_DOUBT);
    world.inbox("ledger", 1, 0);
    fires(world.step(), AlertRule.IN_DOUBT, "inbox/ledger");
    world.inbox("ledger", 0, 0);
    clears(world.pass(LONG), AlertRule.IN_DOUBT);
  }

  @Test
  void whatRanTwice() {
    world.count("payments", Map.of(DecisionCounter.RAN_TWICE, 1L));
    fires(world.step(), AlertRule.RAN_TWICE, "payments");
    clears(world.pass(LONG), AlertRule.RAN_TWICE);
  }

  @Test
  void workThatOutlivedItsRecord() {
    world.count("payments", Map.of(DecisionCounter.REQUESTS, 100L, DecisionCounter.OUTLIVED, 1L));
    fires(world.step(), AlertRule.OUTLIVED, "payments");
    clears(world.pass(LONG), AlertRule.OUTLIVED);
  }

  @Test
  void shortHashesThatMet() {
    world.count("payments", Map.of(DecisionCounter.REQUESTS, 100L, DecisionCounter.COLLISIONS, 1L));
    fires(world.step(), AlertRule.COLLIDED, "payments");
    clears(world.pass(LONG), AlertRule.COLLIDED);
  }

  @Test
  void deadLetters() {
    world.outbox(1, Map.of());
    fires(world.step(), AlertRule.DEAD_LETTERS, "outbox");
    world.outbox(0, Map.of());
    clears(world.pass(LONG), AlertRule.DEAD_LETTERS);
    world.jobs(1, 0);
    fires(world.step(), AlertRule.DEAD_LETTERS, "jobs/emails");
    world.jobs(0, 0);
    clears(world.pass(LONG), AlertRule.DEAD_LETTERS);
    world.inbox("ledger", 0, 3);
    fires(world.step(), AlertRule.DEAD_LETTERS, "inbox/ledger");
    world.inbox("ledger", 0, 0);
    clears(world.pass(LONG), AlertRule.DEAD_LETTERS);
  }

  @Test
  void storeThatCantBeReached() {
    world.away();
    assertThat(world.pass(Duration.ofSeconds(30))).isEmpty();
    fires(world.pass(Duration.ofSeconds(10)), AlertRule.STORE_AWAY, "");
    world.back();
    clears(world.pass(Duration.ofSeconds(30)), AlertRule.STORE_AWAY);
  }

  @Test
  void eventsThatAreMissingInTheLog() {
    world.log(Map.of(), 7);
    fires(world.step(), AlertRule.EVENTS_LOST, "");
    world.log(Map.of(), 0);
    clears(world.pass(Duration.ofMinutes(5)), AlertRule.EVENTS_LOST);
  }

  @Test
  void whatCantBeMeasuredNeitherBeginsNorEnds() {
    AlertSettings settings = AlertSettings.defaults().with("store-away=off");
    Measured blind = new Measured(settings);
    blind.room(81, 100);
    assertThat(blind.pass(Duration.ofSeconds(60))).hasSize(1);
    blind.room(10, 100).away();
    assertThat(blind.pass(LONG)).isEmpty();
    assertThat(AlertList.anyFires(blind.alerts().list())).isTrue();
    blind.back();
    assertThat(blind.pass(Duration.ofMinutes(5))).hasSize(1);
  }

  @Test
  void whatOnePlaceCantSayAnotherDoesNotEnd() {
    world.outbox(0, Map.of()).inbox("ledger", 0, 0).jobs(1, 1);
    assertThat(world.step())
        .extracting(Alert::rule)
        .containsExactlyInAnyOrder(AlertRule.DEAD_LETTERS, AlertRule.IN_DOUBT);
    world.withoutJobs();
    assertThat(world.pass(LONG)).as("nobody can say").isEmpty();
    world.jobs(0, 0);
    assertThat(world.pass(Duration.ofMinutes(1)))
        .extracting(Alert::state)
        .containsExactly(Alert.State.RESOLVED, Alert.State.RESOLVED);
  }

  @Test
  void ofManyOperationsSomeAreToldByNameAndTheOthersTogether() {
    for (int i = 0; i < MinuteWindows.MAX_SUBJECTS + 50; i++) {
      world.count(
          "op" + i, Map.of(DecisionCounter.REQUESTS, 1000L - i, DecisionCounter.FENCED, 1L));
    }
    List<Alert> told = world.step();
    assertThat(told).hasSize(MinuteWindows.MAX_SUBJECTS + 1);
    Alert other = told.stream().filter(a -> a.subject().equals("other")).findFirst().orElseThrow();
    assertThat(other.seen()).isEqualTo(50);
    Map<String, Duration> destinations = new HashMap<>();
    for (int i = 0; i < MinuteWindows.MAX_SUBJECTS + 50; i++) {
      destinations.put("d" + i, Duration.ofHours(1));
    }
    world.outbox(0, destinations);
    assertThat(world.step()).hasSize(MinuteWindows.MAX_SUBJECTS + 1);
  }

  @Test
  void aRuleThatIsOffIsNotLookedAt() {
    Measured quiet = new Measured(AlertSettings.defaults().with("memory=off"));
    quiet.room(99, 100);
    assertThat(quiet.pass(LONG)).isEmpty();
    assertThat(quiet.alerts().list()).isEmpty();
  }

  @Test
  void everyRuleHasItsTestHereOrBeside() {
    Set<AlertRule> tested =
        Set.of(
            AlertRule.ERROR_RATE,
            AlertRule.MEMORY,
            AlertRule.DISK,
            AlertRule.HIT_RATE, // HitRatesTest
            AlertRule.EXPIRY_BACKLOG,
            AlertRule.OUTBOX_LAG,
            AlertRule.CLOCK_SKEW,
            AlertRule.FENCED,
            AlertRule.IN_DOUBT,
            AlertRule.RAN_TWICE,
            AlertRule.OUTLIVED,
            AlertRule.COLLIDED,
            AlertRule.DEAD_LETTERS,
            AlertRule.STORE_AWAY,
            AlertRule.EVENTS_LOST);
    assertThat(java.util.Arrays.stream(AlertRule.values()).collect(Collectors.toSet()))
        .isEqualTo(tested);
  }
}

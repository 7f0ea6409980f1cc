package dev.semel.advice.internal;

import static dev.semel.advice.Counted.PAYMENTS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.advice.Advice;
import dev.semel.advice.AdviceTopic;
import dev.semel.advice.Counted;
import dev.semel.idempotency.OperationSetting;
import dev.semel.idempotency.spi.DecisionCounter;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AdviceRulesTest {
  @Test
  void manyRequestsAndNoDuplicateInADayAreSuspicious() {
    Counted many = new Counted().add(DecisionCounter.REQUESTS, 1000);
    Advice advice = many.only(AdviceTopic.KEYS_DRAWN_ANEW);
    assertThat(advice.why()).isEqualTo("1,000 requests in a day and not one duplicate.");
    assertThat(advice.todo()).startsWith("Keys may be drawn anew for each try");
    assertThat(advice.applicable()).isFalse();
    assertThat(many.during(Duration.ofHours(22)).topics()).isEmpty();
    assertThat(new Counted().add(DecisionCounter.REQUESTS, 999).topics()).isEmpty();
    assertThat(
            new Counted()
                .add(DecisionCounter.REQUESTS, 1000)
                .add(DecisionCounter.DUPLICATES, 1)
                .topics())
        .isEmpty();
  }

  @Test
  void manyMismatchesSayThatTheKeyIsTooNarrow() {
    Counted one =
        new Counted().add(DecisionCounter.REQUESTS, 1000).add(DecisionCounter.DUPLICATES, 1);
    assertThat(one.add(DecisionCounter.MISMATCHES, 9).topics()).isEmpty();
    assertThat(one.add(DecisionCounter.MISMATCHES, 1).only(AdviceTopic.KEY_TOO_NARROW).why())
        .isEqualTo("10 of 1,000 requests came with a key that belongs to another request.");
    assertThat(one.add(DecisionCounter.REQUESTS, 1).topics()).isEmpty();
  }

  @Test
  void duplicatesThatAreRefusedWhileTheFirstRunsCouldWait() {
    Counted refused =
        new Counted().add(DecisionCounter.DUPLICATES, 100).add(DecisionCounter.IN_FLIGHT, 19);
    assertThat(refused.topics()).isEmpty();
    Advice advice =
        refused.add(DecisionCounter.IN_FLIGHT, 1).only(AdviceTopic.DUPLICATES_COULD_WAIT);
    assertThat(advice.change()).containsExactly(Map.entry(OperationSetting.WAIT, "5s"));
    assertThat(advice.why())
        .isEqualTo("20 of 100 duplicates were refused because the first one still ran.");
    assertThat(refused.add(DecisionCounter.DUPLICATES, 1).topics()).isEmpty();
  }

  @Test
  void whoWaitsAlreadyIsNotToldToWait() {
    Counted refused =
        new Counted().add(DecisionCounter.DUPLICATES, 100).add(DecisionCounter.IN_FLIGHT, 50);
    assertThat(
            refused
                .set(OperationSetting.WAIT, "5s")
                .only(AdviceTopic.DUPLICATES_COULD_WAIT)
                .applicable())
        .isFalse();
    assertThat(
            refused
                .set(OperationSetting.WAIT, "1s")
                .only(AdviceTopic.DUPLICATES_COULD_WAIT)
                .change())
        .containsEntry(OperationSetting.WAIT, "5s");
  }

  @Test
  void holdersThatLiveAndLostTheirKeysNeedALongerLease() {
    Counted fenced = new Counted().add(DecisionCounter.FENCED, 2).add(DecisionCounter.TAKEOVERS, 2);
    assertThat(fenced.topics()).isEmpty();
    Advice advice = fenced.add(DecisionCounter.FENCED, 1).only(AdviceTopic.LEASE_TOO_SHORT);
    assertThat(advice.change()).containsExactly(Map.entry(OperationSetting.LEASE, "2m"));
    assertThat(advice.why()).contains("3 times a holder", "2 times someone", "30s");
  }

  @Test
  void aLeaseGrowsNoFurtherThanTheRetention() {
    Counted fenced = new Counted().add(DecisionCounter.FENCED, 3).add(DecisionCounter.TAKEOVERS, 3);
    assertThat(
            fenced.set(OperationSetting.RETENTION, "1m").only(AdviceTopic.LEASE_TOO_SHORT).change())
        .containsEntry(OperationSetting.LEASE, "1m");
    assertThat(fenced.set(OperationSetting.LEASE, "24h").topics())
        .containsExactly(AdviceTopic.HOLDERS_LOST);
  }

  @Test
  void holdersThatEndWithoutAWordAreSomethingToLookInto() {
    Counted lost = new Counted().add(DecisionCounter.TAKEOVERS, 1).add(DecisionCounter.IN_DOUBT, 1);
    assertThat(lost.topics()).isEmpty();
    Advice advice = lost.add(DecisionCounter.TAKEOVERS, 1).only(AdviceTopic.HOLDERS_LOST);
    assertThat(advice.why()).startsWith("2 executions took over").contains("1 requests");
    assertThat(advice.applicable()).isFalse();
  }

  @Test
  void whatIsOnlyObservedCouldBeProtected() {
    Counted counted = new Counted().add(DecisionCounter.REQUESTS, 10);
    assertThat(counted.set(OperationSetting.MODE, "observe").topics()).isEmpty();
    counted.add(DecisionCounter.DUPLICATES, 4);
    assertThat(counted.only(AdviceTopic.ONLY_OBSERVED).change())
        .containsEntry(OperationSetting.MODE, "enforce");
    assertThat(counted.set(OperationSetting.MODE, "enforce").topics()).isEmpty();
  }

  @Test
  void aTenantThatSendsFarMoreDuplicatesThanTheOthersIsNamed() {
    Counted counted =
        new Counted()
            .add("acme", PAYMENTS, DecisionCounter.REQUESTS, 100)
            .add("acme", PAYMENTS, DecisionCounter.DUPLICATES, 30)
            .add("globex", PAYMENTS, DecisionCounter.REQUESTS, 100)
            .add("globex", PAYMENTS, DecisionCounter.DUPLICATES, 10);
    assertThat(counted.only(AdviceTopic.EAGER_SENDER).why())
        .isEqualTo(
            "30.0 % of the requests of the tenant acme are duplicates, 10.0 % of all others'.");
    assertThat(counted.add("globex", PAYMENTS, DecisionCounter.DUPLICATES, 1).topics()).isEmpty();
  }

  @Test
  void aTenantAloneHasNobodyToBeComparedWith() {
    assertThat(
            new Counted()
                .add("acme", PAYMENTS, DecisionCounter.REQUESTS, 100)
                .add("acme", PAYMENTS, DecisionCounter.DUPLICATES, 90)
                .add("globex", PAYMENTS, DecisionCounter.REQUESTS, 99)
                .topics())
        .isEmpty();
  }

  @Test
  void whatABrokerSaysOfItsSetUpIsPassedOn() {
    Advice advice =
        new Counted()
            .hazards("nats://localhost", "its window is too short")
            .only(AdviceTopic.BROKER);
    assertThat(advice.operation()).isEmpty();
    assertThat(advice.title()).contains("nats://localhost");
    assertThat(advice.todo()).isEqualTo("its window is too short");
  }

  @Test
  void nothingCountedIsNothingToSay() {
    assertThat(new Counted().counsel().advice()).isEmpty();
    assertThat(new Counted().counsel().withheld()).isEmpty();
  }
}

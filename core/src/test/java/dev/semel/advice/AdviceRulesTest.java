package dev.semel.advice;

import static dev.semel.advice.Counted.PAYMENTS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.idempotency.Counter;
import dev.semel.idempotency.Setting;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AdviceRulesTest {
  @Test
  void manyRequestsAndNoDuplicateInADayAreSuspicious() {
    Counted many = new Counted().add(Counter.REQUESTS, 1000);
    Advice advice = many.only(AdviceTopic.KEYS_DRAWN_ANEW);
    assertThat(advice.why()).isEqualTo("1,000 requests in a day and not one duplicate.");
    assertThat(advice.todo()).startsWith("Keys may be drawn anew for each try");
    assertThat(advice.applicable()).isFalse();
    assertThat(many.during(Duration.ofHours(22)).topics()).isEmpty();
    assertThat(new Counted().add(Counter.REQUESTS, 999).topics()).isEmpty();
    assertThat(new Counted().add(Counter.REQUESTS, 1000).add(Counter.DUPLICATES, 1).topics())
        .isEmpty();
  }

  @Test
  void manyMismatchesSayThatTheKeyIsTooNarrow() {
    Counted one = new Counted().add(Counter.REQUESTS, 1000).add(Counter.DUPLICATES, 1);
    assertThat(one.add(Counter.MISMATCHES, 9).topics()).isEmpty();
    assertThat(one.add(Counter.MISMATCHES, 1).only(AdviceTopic.KEY_TOO_NARROW).why())
        .isEqualTo("10 of 1,000 requests came with a key that belongs to another request.");
    assertThat(one.add(Counter.REQUESTS, 1).topics()).isEmpty();
  }

  @Test
  void duplicatesThatAreRefusedWhileTheFirstRunsCouldWait() {
    Counted refused = new Counted().add(Counter.DUPLICATES, 100).add(Counter.IN_FLIGHT, 19);
    assertThat(refused.topics()).isEmpty();
    Advice advice = refused.add(Counter.IN_FLIGHT, 1).only(AdviceTopic.DUPLICATES_COULD_WAIT);
    assertThat(advice.change()).containsExactly(Map.entry(Setting.WAIT, "5s"));
    assertThat(advice.why())
        .isEqualTo("20 of 100 duplicates were refused because the first one still ran.");
    assertThat(refused.add(Counter.DUPLICATES, 1).topics()).isEmpty();
  }

  @Test
  void whoWaitsAlreadyIsNotToldToWait() {
    Counted refused = new Counted().add(Counter.DUPLICATES, 100).add(Counter.IN_FLIGHT, 50);
    assertThat(refused.set(Setting.WAIT, "5s").only(AdviceTopic.DUPLICATES_COULD_WAIT).applicable())
        .isFalse();
    assertThat(refused.set(Setting.WAIT, "1s").only(AdviceTopic.DUPLICATES_COULD_WAIT).change())
        .containsEntry(Setting.WAIT, "5s");
  }

  @Test
  void holdersThatLiveAndLostTheirKeysNeedALongerLease() {
    Counted fenced = new Counted().add(Counter.FENCED, 2).add(Counter.TAKEOVERS, 2);
    assertThat(fenced.topics()).isEmpty();
    Advice advice = fenced.add(Counter.FENCED, 1).only(AdviceTopic.LEASE_TOO_SHORT);
    assertThat(advice.change()).containsExactly(Map.entry(Setting.LEASE, "2m"));
    assertThat(advice.why()).contains("3 times a holder", "2 times someone", "30s");
  }

  @Test
  void aLeaseGrowsNoFurtherThanTheRetention() {
    Counted fenced = new Counted().add(Counter.FENCED, 3).add(Counter.TAKEOVERS, 3);
    assertThat(fenced.set(Setting.RETENTION, "1m").only(AdviceTopic.LEASE_TOO_SHORT).change())
        .containsEntry(Setting.LEASE, "1m");
    assertThat(fenced.set(Setting.LEASE, "24h").topics()).containsExactly(AdviceTopic.HOLDERS_LOST);
  }

  @Test
  void holdersThatEndWithoutAWordAreSomethingToLookInto() {
    Counted lost = new Counted().add(Counter.TAKEOVERS, 1).add(Counter.IN_DOUBT, 1);
    assertThat(lost.topics()).isEmpty();
    Advice advice = lost.add(Counter.TAKEOVERS, 1).only(AdviceTopic.HOLDERS_LOST);
    assertThat(advice.why()).startsWith("2 executions took over").contains("1 requests");
    assertThat(advice.applicable()).isFalse();
  }

  @Test
  void whatIsOnlyObservedCouldBeProtected() {
    Counted counted = new Counted().add(Counter.REQUESTS, 10);
    assertThat(counted.set(Setting.MODE, "observe").topics()).isEmpty();
    counted.add(Counter.DUPLICATES, 4);
    assertThat(counted.only(AdviceTopic.ONLY_OBSERVED).change())
        .containsEntry(Setting.MODE, "enforce");
    assertThat(counted.set(Setting.MODE, "enforce").topics()).isEmpty();
  }

  @Test
  void aTenantThatSendsFarMoreDuplicatesThanTheOthersIsNamed() {
    Counted counted =
        new Counted()
            .add("acme", PAYMENTS, Counter.REQUESTS, 100)
            .add("acme", PAYMENTS, Counter.DUPLICATES, 30)
            .add("globex", PAYMENTS, Counter.REQUESTS, 100)
            .add("globex", PAYMENTS, Counter.DUPLICATES, 10);
    assertThat(counted.only(AdviceTopic.EAGER_SENDER).why())
        .isEqualTo(
            "30.0 % of the requests of the tenant acme are duplicates, 10.0 % of all others'.");
    assertThat(counted.add("globex", PAYMENTS, Counter.DUPLICATES, 1).topics()).isEmpty();
  }

  @Test
  void aTenantAloneHasNobodyToBeComparedWith() {
    assertThat(
            new Counted()
                .add("acme", PAYMENTS, Counter.REQUESTS, 100)
                .add("acme", PAYMENTS, Counter.DUPLICATES, 90)
                .add("globex", PAYMENTS, Counter.REQUESTS, 99)
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

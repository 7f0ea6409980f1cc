package dev.semel.advice.internal;

import static dev.semel.advice.Counted.PAYMENTS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.InvalidInput;
import dev.semel.Operation;
import dev.semel.advice.Advice;
import dev.semel.advice.AdviceCriteria;
import dev.semel.advice.AdviceTopic;
import dev.semel.advice.Counted;
import dev.semel.advice.Recommendations;
import dev.semel.idempotency.OperationSetting;
import dev.semel.idempotency.spi.DecisionCounter;
import dev.semel.idempotency.spi.DecisionCounts;
import dev.semel.idempotency.spi.DuplicateAge;
import dev.semel.internal.DurationText;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

class RetentionAdviceTest {
  @Test
  void theSmallestStepThatCoversTheShareIsAdvisedWithWhatComesLater() {
    Advice advice =
        new Counted()
            .add(DuplicateAge.MINUTE, 9_990)
            .add(DuplicateAge.HOUR, 5)
            .add(DuplicateAge.HOURS_8, 5)
            .only(AdviceTopic.RETENTION_TOO_LONG);
    assertThat(advice.operation()).contains(PAYMENTS);
    // The step is a minute; ten minutes are the least.
    assertThat(advice.change()).containsExactly(Map.entry(OperationSetting.RETENTION, "10m"));
    assertThat(advice.title()).isEqualTo("keep records for 10m instead of 24h");
    assertThat(advice.why())
        .isEqualTo(
            "99.9 % of 10,000 duplicates arrived within 1m of the first request; records are kept for 24h (the default).");
    assertThat(advice.todo())
        .startsWith("10 of them came after 10m: such a duplicate would run again");
  }

  @Test
  void oneDuplicateTooManyBeyondAStepTakesTheNextOne() {
    Counted most =
        new Counted()
            .add(DuplicateAge.MINUTES_10, 9_950)
            .add(DuplicateAge.HOUR, 39)
            .add(DuplicateAge.HOURS_2, 10);
    assertThat(most.add(DuplicateAge.HOUR, 1).only(AdviceTopic.RETENTION_TOO_LONG).change())
        .containsEntry(OperationSetting.RETENTION, "1h");
    assertThat(most.add(DuplicateAge.HOURS_2, 1).only(AdviceTopic.RETENTION_TOO_LONG).change())
        .containsEntry(OperationSetting.RETENTION, "2h");
  }

  @Test
  void whereManyArriveInTheLastStepThereIsRoomForLaterOnes() {
    assertThat(
            new Counted()
                .add(DuplicateAge.HOUR, 1000)
                .only(AdviceTopic.RETENTION_TOO_LONG)
                .change())
        .containsEntry(OperationSetting.RETENTION, "2h");
  }

  @Test
  void fewDuplicatesAreNoGroundForAdviceAndItIsSaidSo() {
    Recommendations few = new Counted().add(DuplicateAge.MINUTE, 999).counsel();
    assertThat(few.advice()).isEmpty();
    assertThat(few.withheld())
        .containsExactly(
            new Recommendations.Withheld(
                PAYMENTS,
                "999 duplicates so far; with fewer than 1,000 nothing is said about the retention"));
    Recommendations enough = new Counted().add(DuplicateAge.MINUTE, 1000).counsel();
    assertThat(enough.withheld()).isEmpty();
    assertThat(enough.advice())
        .extracting(Advice::topic)
        .containsExactly(AdviceTopic.RETENTION_TOO_LONG);
  }

  @Test
  void aRetentionThatFitsIsLeftAlone() {
    Counted most = new Counted().add(DuplicateAge.MINUTE, 9_950).add(DuplicateAge.HOURS_12, 50);
    assertThat(most.set(OperationSetting.RETENTION, "14h").topics()).isEmpty();
    assertThat(most.set(OperationSetting.RETENTION, "16h").topics())
        .containsExactly(AdviceTopic.RETENTION_TOO_LONG);
  }

  @Test
  void noAdviceIsShorterThanTheLease() {
    assertThat(
            new Counted()
                .add(DuplicateAge.SECOND, 1000)
                .set(OperationSetting.LEASE, "3h")
                .only(AdviceTopic.RETENTION_TOO_LONG)
                .change())
        .containsEntry(OperationSetting.RETENTION, "3h");
  }

  @Test
  void duplicatesUpToTheEndOfTheRetentionAreAWarning() {
    Advice advice =
        new Counted()
            .add(DuplicateAge.MINUTE, 990)
            .add(DuplicateAge.DAY, 10)
            .only(AdviceTopic.RETENTION_TOO_SHORT);
    assertThat(advice.change()).containsExactly(Map.entry(OperationSetting.RETENTION, "2d"));
    assertThat(advice.why())
        .isEqualTo(
            "10 of 1,000 duplicates arrived only just before records are forgotten, after more than 12h; they are kept for 24h (the default).");
    assertThat(new Counted().add(DuplicateAge.MINUTE, 991).add(DuplicateAge.DAY, 9).topics())
        .isEmpty();
    assertThat(new Counted().add(DuplicateAge.MINUTE, 991).add(DuplicateAge.DAY, 10).topics())
        .isEmpty();
  }

  @Test
  void beyondThirtyDaysARetentionIsDoubledUpToTheLimit() {
    Counted old = new Counted().add(DuplicateAge.OLDER, 100);
    assertThat(
            old.set(OperationSetting.RETENTION, "40d")
                .only(AdviceTopic.RETENTION_TOO_SHORT)
                .change())
        .containsEntry(OperationSetting.RETENTION, "80d");
    assertThat(
            old.set(OperationSetting.RETENTION, "2000d")
                .only(AdviceTopic.RETENTION_TOO_SHORT)
                .change())
        .containsEntry(OperationSetting.RETENTION, "3650d");
    assertThat(
            old.set(OperationSetting.RETENTION, "3650d")
                .only(AdviceTopic.RETENTION_TOO_SHORT)
                .change())
        .isEmpty();
  }

  @Test
  void whatIsSetGoesBeforeWhatRecordsShowAndThatBeforeTheDefault() {
    Counted hours = new Counted().add(DuplicateAge.HOUR, 1000);
    assertThat(hours.only(AdviceTopic.RETENTION_TOO_LONG).why()).endsWith("24h (the default).");
    assertThat(hours.seen(Duration.ofDays(7)).only(AdviceTopic.RETENTION_TOO_LONG).why())
        .endsWith("7d (as records show).");
    assertThat(
            hours.set(OperationSetting.RETENTION, "3d").only(AdviceTopic.RETENTION_TOO_LONG).why())
        .endsWith("3d (as set).");
  }

  @Test
  void theSavingIsTheOperationsShareOfWhatTheStoreHolds() {
    // Payments begin 3 of 4 executions; of their 3/4 of all bytes, 22/24 would go.
    Counted counted =
        new Counted()
            .add(DuplicateAge.HOUR, 1000)
            .add(DecisionCounter.REQUESTS, 4000)
            .add(DecisionCounter.DUPLICATES, 1000)
            .add("default", new Operation("mails"), DecisionCounter.REQUESTS, 1000)
            .holding(4000, 3_200_000);
    assertThat(counted.only(AdviceTopic.RETENTION_TOO_LONG).savedBytes()).isEqualTo(2_200_000);
    assertThat(
            new Counted()
                .add(DuplicateAge.HOUR, 1000)
                .only(AdviceTopic.RETENTION_TOO_LONG)
                .savedBytes())
        .isZero();
  }

  @Test
  void aLongerRetentionCosts() {
    assertThat(
            new Counted()
                .add(DuplicateAge.DAY, 100)
                .add(DecisionCounter.REQUESTS, 10)
                .holding(10, 1000)
                .only(AdviceTopic.RETENTION_TOO_SHORT)
                .savedBytes())
        .isEqualTo(-1000);
  }

  @Test
  void workThatOutlivedItsRecordGoesBeforeAllElse() {
    Counted counted = new Counted().add(DuplicateAge.MINUTE, 5000).add(DecisionCounter.OUTLIVED, 1);
    assertThat(counted.topics()).containsExactly(AdviceTopic.WORK_OUTLIVES_RECORD);
    assertThat(counted.only(AdviceTopic.WORK_OUTLIVES_RECORD).change())
        .containsEntry(OperationSetting.RETENTION, "2d");
  }

  @Test
  void theShareCanBeSetWithinReason() {
    assertThat(AdviceCriteria.usual().leastDuplicates()).isEqualTo(1000);
    assertThat(AdviceCriteria.usual().withPercent(new BigDecimal("99.999")).leastDuplicates())
        .isEqualTo(100_000);
    assertThat(AdviceCriteria.usual().withPercent(BigDecimal.valueOf(50)).leastDuplicates())
        .isEqualTo(100);
    assertThatThrownBy(() -> AdviceCriteria.usual().withPercent(BigDecimal.valueOf(100)))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("99.999");
    assertThatThrownBy(() -> AdviceCriteria.usual().withPercent(BigDecimal.valueOf(49)))
        .isInstanceOf(InvalidInput.class);
  }

  /** Counted again without the advisor's own arithmetic. */
  @Test
  void whateverArrivesTheAdvisedRetentionCoversTheShareAndNoSmallerStepDoesWithRoom() {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(20261117);
    BigDecimal[] shares = {
      new BigDecimal("99.9"), new BigDecimal("99.999"), new BigDecimal("95"), new BigDecimal("50")
    };
    int advised = 0;
    int smallest = 0;
    for (int round = 0; round < 20_000; round++) {
      AdviceCriteria demand =
          new AdviceCriteria(shares[round % shares.length], Duration.ofMillis(1));
      Map<DuplicateAge, Long> ages = histogram(random);
      Counted counted = new Counted().add("default", PAYMENTS, new DecisionCounts(Map.of(), ages));
      Recommendations counsel =
          new Advisor(demand).advise(counted.seen(Duration.ofDays(3000)).figures());
      for (Advice advice : counsel.advice()) {
        if (advice.topic() == AdviceTopic.RETENTION_TOO_LONG) {
          String text = advice.change().getOrDefault(OperationSetting.RETENTION, "");
          smallest += check(ages, demand.percent(), DurationText.parse(text)) ? 1 : 0;
          advised++;
          assertThat(
                  new Advisor(demand)
                      .advise(counted.set(OperationSetting.RETENTION, text).figures())
                      .advice())
              .as("what is said after %s was set for %s", text, ages)
              .isEmpty();
        }
      }
    }
    assertThat(advised).isGreaterThan(5_000);
    assertThat(smallest).isGreaterThan(500);
  }

  /**
   * @return whether it is the smallest step that covers the share, with or without room
   */
  private static boolean check(
      Map<DuplicateAge, Long> ages, BigDecimal percent, Duration retention) {
    long all = ages.values().stream().mapToLong(Long::longValue).sum();
    BigDecimal needed = percent.movePointLeft(2).multiply(BigDecimal.valueOf(all));
    assertThat(BigDecimal.valueOf(within(ages, retention)))
        .as("%s within %s", ages, retention)
        .isGreaterThanOrEqualTo(needed);
    Duration before = Duration.ZERO;
    Duration twoBefore = Duration.ZERO;
    for (DuplicateAge age : DuplicateAge.values()) {
      if (age.atMost().compareTo(retention) < 0) {
        twoBefore = before;
        before = age.atMost();
      }
    }
    if (retention.compareTo(Duration.ofSeconds(30)) <= 0) {
      return false; // the lease
    }
    boolean covered = BigDecimal.valueOf(within(ages, before)).compareTo(needed) >= 0;
    long crowd = all - within(ages, twoBefore);
    assertThat(!covered || (crowd >= 10 && crowd * 100 >= all))
        .as("%s: why not %s instead of %s", ages, before, retention)
        .isTrue();
    return !covered;
  }

  private static long within(Map<DuplicateAge, Long> ages, Duration retention) {
    return ages.entrySet().stream()
        .filter(each -> each.getKey().atMost().compareTo(retention) <= 0)
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  private static Map<DuplicateAge, Long> histogram(RandomGenerator random) {
    Map<DuplicateAge, Long> ages = new EnumMap<>(DuplicateAge.class);
    for (DuplicateAge age : DuplicateAge.values()) {
      if (age != DuplicateAge.OLDER && random.nextInt(3) > 0) {
        // Of every size, so that single late ones matter as much as whole heaps.
        ages.put(age, random.nextLong(1L << random.nextInt(1, 30)));
      }
    }
    return ages;
  }
}

package dev.semel.job;

import static dev.semel.job.CronHouse.at;
import static dev.semel.job.CronHouse.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.InvalidInput;
import dev.semel.Token;
import dev.semel.event.Event;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.Payload;
import dev.semel.idempotency.TakeoverPolicy;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.idempotency.spi.ExecutionEnd;
import dev.semel.idempotency.spi.RecordState;
import dev.semel.idempotency.spi.StoredRecord;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** A slot that is due while an earlier one still runs, here or on another instance. */
final class CronOverlapTest {
  private static final CronSettings SETTINGS =
      CronSettings.defaults()
          .withPolicy(CronSettings.defaults().policy().withLease(CronTest.LEASE));

  private final CronHouse house = new CronHouse();

  @AfterEach
  void close() {
    house.close();
  }

  private Cron instance(OverlapPolicy overlap) {
    return house.instance(SETTINGS.withOverlap(overlap));
  }

  private void goToAndSettle(String slot) {
    house.goTo(slot);
    house.until(() -> !house.record(slot).equals("none"));
    house.turn();
  }

  @Nested
  final class Skip {
    @Test
    void slotIsRecordedAsSkippedAndNobodyRunsItLater() {
      Cron one = instance(OverlapPolicy.SKIP);
      Cron two = instance(OverlapPolicy.SKIP);
      house.hold("00:01");
      goToAndSettle("00:01");
      goToAndSettle("00:02");
      assertThat(house.record("00:02"))
          .isEqualTo("FAILED SlotSkipped 2026-11-17T00:01Z still runs");
      house.letGo("00:01");
      house.quiet();
      assertThat(house.record("00:01")).isEqualTo("COMPLETED ran");
      house.goTo("00:03");
      house.quiet();
      assertThat(house.begun).containsExactly("00:01", "00:03");
      assertThat(one.counts().skipped() + two.counts().skipped()).isOne();
      assertThat(house.seen(Event.FailureStored.class))
          .singleElement()
          .satisfies(e -> assertThat(e.key()).isEqualTo(key("00:02")))
          .satisfies(e -> assertThat(e.kind()).endsWith("SlotSkipped"));
    }

    @Test
    void turnIsKeptForAsLongAsTheWorkRuns() {
      instance(OverlapPolicy.SKIP);
      instance(OverlapPolicy.SKIP);
      house.hold("00:01");
      goToAndSettle("00:01");
      for (int minute = 2; minute < 20; minute++) {
        goToAndSettle("00:%02d".formatted(minute));
      }
      assertThat(house.begun).containsExactly("00:01");
      assertThat(house.record("00:19"))
          .isEqualTo("FAILED SlotSkipped 2026-11-17T00:01Z still runs");
    }

    @Test
    void slotsThatPileUpAreAllSkipped() {
      instance(OverlapPolicy.SKIP);
      instance(OverlapPolicy.SKIP);
      house.hold("00:01");
      for (String slot : new String[] {"00:01", "00:02", "00:03", "00:04"}) {
        goToAndSettle(slot);
      }
      house.letGo("00:01");
      house.quiet();
      assertThat(house.begun).containsExactly("00:01");
    }
  }

  @Nested
  final class Queue {
    @Test
    void slotsWaitAndKeepTheirOrderOnWhicheverInstance() {
      instance(OverlapPolicy.QUEUE);
      instance(OverlapPolicy.QUEUE);
      instance(OverlapPolicy.QUEUE);
      house.hold("00:01");
      goToAndSettle("00:01");
      house.hold("00:02");
      goToAndSettle("00:02");
      goToAndSettle("00:03");
      goToAndSettle("00:04");
      assertThat(house.begun).containsExactly("00:01");
      assertThat(house.store.find(key("00:02")).map(StoredRecord::state))
          .contains(RecordState.RELEASED);
      house.letGo("00:01");
      house.until(() -> house.begun.contains("00:02"));
      house.turn();
      assertThat(house.begun).containsExactly("00:01", "00:02");
      house.letGo("00:02");
      house.until(() -> house.ended.size() == 4);
      house.quiet();
      assertThat(house.begun).containsExactly("00:01", "00:02", "00:03", "00:04");
      assertThat(house.mostAtOnce).hasValue(1);
    }

    @Test
    void slotWaitsForAnEarlierOneThatIsUnderWayEvenIfItsTurnIsFree() {
      Token elsewhere = Token.draw();
      house.store.claim(
          new ClaimRequest(
              key("00:01"),
              elsewhere,
              Fingerprint.NONE,
              CronTest.LEASE,
              Duration.ofDays(1),
              TakeoverPolicy.IN_DOUBT,
              ""));
      instance(OverlapPolicy.QUEUE);
      goToAndSettle("00:01");
      goToAndSettle("00:02");
      assertThat(house.begun).isEmpty();
      house.store.complete(
          key("00:01"), elsewhere, ExecutionEnd.completed(Payload.EMPTY), Duration.ofDays(1));
      house.until(() -> house.ended.contains("00:02"));
    }

    @Test
    void oneMoreThanMayWaitIsSkipped() {
      house.instance(SETTINGS.withOverlap(OverlapPolicy.QUEUE).withMaxWaiting(2));
      house.instance(SETTINGS.withOverlap(OverlapPolicy.QUEUE).withMaxWaiting(2));
      house.hold("00:01");
      for (String slot : new String[] {"00:01", "00:02", "00:03", "00:04"}) {
        goToAndSettle(slot);
      }
      assertThat(house.record("00:04"))
          .isEqualTo("FAILED SlotSkipped 2 slots wait already, the limit (maxWaiting)");
      house.letGo("00:01");
      house.until(() -> house.ended.size() == 3);
      house.goTo("00:05");
      house.quiet();
      assertThat(house.begun).containsExactly("00:01", "00:02", "00:03", "00:05");
    }

    @Test
    void whatWaitsSurvivesTheProcessThatLetItWait() {
      Cron dying = instance(OverlapPolicy.QUEUE);
      house.hold("00:01");
      for (String slot : new String[] {"00:01", "00:02", "00:03"}) {
        goToAndSettle(slot);
      }
      house.kill(dying);
      house.clock.set(at("00:03").plus(CronTest.LEASE).plusSeconds(30));
      Cron heir = instance(OverlapPolicy.QUEUE);
      house.until(() -> house.ended.contains("00:03"));
      house.quiet();
      assertThat(house.begun).containsExactly("00:01", "00:02", "00:03");
      assertThat(heir.counts().ran()).isEqualTo(2);
    }

    @Test
    void lateInstanceDoesNotGoFirst() {
      Cron first = instance(OverlapPolicy.QUEUE);
      house.hold("00:01");
      goToAndSettle("00:01");
      goToAndSettle("00:02");
      Cron late = instance(OverlapPolicy.QUEUE);
      house.goTo("00:03");
      house.letGo("00:01");
      house.until(() -> first.counts().running() == 0);
      late.turn(); // before the others had theirs
      house.until(() -> house.ended.size() == 3);
      house.quiet();
      assertThat(house.begun).containsExactly("00:01", "00:02", "00:03");
    }

    @Test
    void slotThatALaterOneOvertookDoesNotRunAfterIt() {
      house.instance(
          CronHouse.MINUTELY,
          SETTINGS.withOverlap(OverlapPolicy.QUEUE),
          Duration.ofMinutes(2), // its clock is far ahead
          house::work);
      house.turn();
      house.goTo("00:01"); // 00:03 by that clock
      house.quiet();
      instance(OverlapPolicy.QUEUE);
      house.goTo("00:02");
      house.quiet();
      assertThat(house.begun).containsExactly("00:03", "00:04");
      assertThat(house.record("00:02")).startsWith("FAILED SlotSkipped 2026-11-17T00:0");
    }

    @Test
    void noMoreThanTheLimitMayBeAskedFor() {
      assertThatThrownBy(() -> SETTINGS.withMaxWaiting(1001))
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining("1 to 1000");
    }
  }

  @Nested
  final class Replace {
    @Test
    void runningSlotIsToldToStopAndTheNewOneRunsThen() {
      Cron one = instance(OverlapPolicy.REPLACE);
      house.hold("00:01");
      goToAndSettle("00:01");
      house.until(() -> house.begun.contains("00:01"));
      Cron two = instance(OverlapPolicy.REPLACE);
      house.clock.set(at("00:02"));
      two.turn();
      assertThat(house.begun).as("until the first one stopped").containsExactly("00:01");
      one.turn();
      assertThat(house.execution("00:01").held()).isFalse();
      house.until(() -> house.ended.contains("00:02"));
      house.quiet();
      assertThat(house.record("00:01"))
          .isEqualTo("FAILED SlotReplaced replaced by 2026-11-17T00:02Z");
      assertThat(house.record("00:02")).isEqualTo("COMPLETED ran");
      assertThat(one.counts().replaced()).isOne();
      assertThat(house.mostAtOnce).hasValue(1);
    }

    @Test
    void slotOfTheSameInstanceIsReplacedToo() {
      Cron cron = instance(OverlapPolicy.REPLACE);
      house.hold("00:01");
      goToAndSettle("00:01");
      house.until(() -> house.begun.contains("00:01"));
      house.goTo("00:02");
      house.until(() -> cron.counts().ran() == 1);
      assertThat(cron.counts().replaced()).isOne();
      assertThat(house.mostAtOnce).hasValue(1);
    }

    @Test
    void lateWorkerThatWasReplacedCannotComplete() {
      Cron frozen = instance(OverlapPolicy.REPLACE);
      house.holdStubbornly("00:01");
      goToAndSettle("00:01");
      house.until(() -> house.begun.contains("00:01"));
      house.kill(frozen);
      instance(OverlapPolicy.REPLACE);
      house.goTo("00:02");
      house.turn();
      assertThat(house.begun).containsExactly("00:01");
      house.goTo("00:07"); // nobody heard of the first one for longer than its lease
      house.until(() -> house.begun.contains("00:07"));
      assertThat(house.execution("00:01").held()).isFalse();
      house.letGo("00:01");
      house.until(() -> frozen.counts().running() == 0);
      assertThat(frozen.counts().ran()).isZero();
      assertThat(house.record("00:01")).startsWith("FAILED SlotReplaced");
    }

    @Test
    void threeThatPileUpRunOneAtATimeAndTheMiddleOneNever() {
      instance(OverlapPolicy.REPLACE);
      instance(OverlapPolicy.REPLACE);
      house.holdStubbornly("00:01");
      goToAndSettle("00:01");
      house.until(() -> house.begun.contains("00:01"));
      goToAndSettle("00:02");
      goToAndSettle("00:03");
      house.turn();
      assertThat(house.begun).containsExactly("00:01");
      house.letGo("00:01");
      house.until(() -> house.ended.contains("00:03"));
      house.quiet();
      assertThat(house.begun).containsExactly("00:01", "00:03");
      assertThat(house.record("00:01")).startsWith("FAILED SlotReplaced");
      assertThat(house.record("00:02"))
          .isEqualTo("FAILED SlotSkipped 2026-11-17T00:03Z took its place");
      assertThat(house.mostAtOnce).hasValue(1);
    }

    @Test
    void earlierSlotDoesNotReplaceALaterOne() {
      house.hold("00:03");
      house.instance(
          CronHouse.MINUTELY,
          SETTINGS.withOverlap(OverlapPolicy.REPLACE),
          Duration.ofMinutes(2),
          house::work);
      house.turn();
      house.goTo("00:01");
      house.until(() -> house.begun.contains("00:03"));
      Cron late =
          house.instance(
              SETTINGS.withOverlap(OverlapPolicy.REPLACE).withCatchUp(Duration.ofMinutes(1)));
      late.turn();
      assertThat(house.record("00:01"))
          .isEqualTo("FAILED SlotSkipped 2026-11-17T00:03Z began before it");
      house.letGo("00:03");
      house.quiet();
      assertThat(house.record("00:03")).isEqualTo("COMPLETED ran");
    }
  }
}

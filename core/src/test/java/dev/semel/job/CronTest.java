package dev.semel.job;

import static dev.semel.job.CronHouse.MINUTELY;
import static dev.semel.job.CronHouse.at;
import static dev.semel.job.CronHouse.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.semel.InvalidInput;
import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.Token;
import dev.semel.event.Event;
import dev.semel.idempotency.ClaimResult;
import dev.semel.idempotency.DisturbedStore;
import dev.semel.idempotency.EffectUnknown;
import dev.semel.idempotency.ExecutionPolicy;
import dev.semel.idempotency.FailurePolicy;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.TakeoverPolicy;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.idempotency.spi.RecordState;
import dev.semel.idempotency.spi.StoredRecord;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Slots of a cron, once each: who runs them, what is made up, and what a death leaves behind. */
final class CronTest {
  static final Duration LEASE = Duration.ofMinutes(5);

  private static final CronSettings SETTINGS =
      CronSettings.defaults().withPolicy(CronSettings.defaults().policy().withLease(LEASE));

  private static final CronSettings RUN_AGAIN =
      SETTINGS.withPolicy(SETTINGS.policy().withTakeover(TakeoverPolicy.RUN_AGAIN));

  private final CronHouse house = new CronHouse();

  @AfterEach
  void close() {
    house.close();
  }

  @Test
  void oneOfAllInstancesRunsASlotAndTheOthersAreTold() {
    List<Cron> crons = IntStream.range(0, 4).mapToObj(i -> house.instance(SETTINGS)).toList();
    house.goTo("00:01");
    house.quiet();
    assertThat(house.begun).containsExactly("00:01");
    assertThat(house.record("00:01")).isEqualTo("COMPLETED ran");
    assertThat(crons.stream().mapToLong(c -> c.counts().ran()).sum()).isOne();
    assertThat(crons.stream().mapToLong(c -> c.counts().told()).sum()).isEqualTo(3);
    assertThat(house.seen(Event.Replayed.class)).hasSize(3);
  }

  @Test
  void eachSlotRunsUnderItsOwnKeyAndIsToldItsTime() {
    house.instance(
        MINUTELY,
        SETTINGS,
        Duration.ZERO,
        (slot, execution) -> {
          assertThat(execution.key()).isEqualTo(key(CronHouse.time(slot)));
          assertThat(execution.held()).isTrue();
          house.work(slot, execution);
        });
    for (String slot : List.of("00:01", "00:02", "00:03")) {
      house.goTo(slot);
      house.quiet();
    }
    assertThat(house.begun).containsExactly("00:01", "00:02", "00:03");
  }

  @Test
  void clocksThatDifferNeverRunASlotTwice() {
    for (int ahead : new int[] {-90, -20, 0, 45, 100}) {
      house.instance(MINUTELY, SETTINGS, Duration.ofSeconds(ahead), house::work);
    }
    for (int i = 0; i < 120; i++) {
      house.clock.pass(Duration.ofSeconds(10));
      house.turn();
      house.quiet();
    }
    assertThat(house.begun).hasSizeGreaterThanOrEqualTo(20).doesNotHaveDuplicates();
    assertThat(house.mostAtOnce).hasValue(1);
  }

  @Test
  void clockThatIsSetBackRepeatsNothing() {
    house.instance(SETTINGS);
    house.goTo("00:05");
    house.quiet();
    house.goTo("00:01");
    house.quiet();
    house.goTo("00:05");
    house.quiet();
    assertThat(house.begun).containsExactly("00:05");
  }

  @Test
  void slotThatFailedHasHadItsTurn() {
    Cron cron =
        house.instance(
            MINUTELY,
            SETTINGS,
            Duration.ZERO,
            (slot, execution) -> {
              house.work(slot, execution);
              throw new IllegalStateException("no disk");
            });
    house.goTo("00:01");
    house.quiet();
    house.goTo("00:02");
    house.quiet();
    assertThat(house.begun).containsExactly("00:01", "00:02");
    assertThat(house.record("00:01")).isEqualTo("FAILED java.lang.IllegalStateException no disk");
    assertThat(cron.counts().failed()).isEqualTo(2);
  }

  @Test
  void slotThatCannotTellIsInDoubtAndTheNextOneRuns() {
    Cron cron =
        house.instance(
            MINUTELY,
            SETTINGS,
            Duration.ZERO,
            (slot, execution) -> {
              house.work(slot, execution);
              throw new EffectUnknown("sent and never answered", new IllegalStateException());
            });
    house.goTo("00:01");
    house.quiet();
    house.goTo("00:02");
    house.quiet();
    assertThat(house.begun).containsExactly("00:01", "00:02");
    assertThat(cron.counts().told()).isOne();
    assertThat(house.seen(Event.InDoubt.class)).isNotEmpty();
  }

  @Nested
  final class SlotsThatPassedWhileNobodyWasThere {
    private static final CronSchedule DAILY = CronSchedule.parse("@daily", ZoneOffset.UTC);

    @Test
    void areLeft() {
      house.clock.set(at("02:30"));
      house.instance(SETTINGS);
      house.turn();
      house.quiet();
      assertThat(house.begun).isEmpty();
    }

    @Test
    void areMadeUpForByTheNewestIfItIsNewEnough() {
      house.clock.set(at("02:30").plusSeconds(30));
      house.instance(SETTINGS.withCatchUp(Duration.ofHours(1)));
      house.instance(SETTINGS.withCatchUp(Duration.ofHours(1)));
      house.turn();
      house.quiet();
      assertThat(house.begun).containsExactly("02:30");
    }

    @Test
    void areNotMadeUpForIfTheyAreOlder() {
      house.clock.set(at("03:00"));
      house.instance(DAILY, SETTINGS.withCatchUp(Duration.ofHours(2)), Duration.ZERO, house::work);
      house.turn();
      house.quiet();
      assertThat(house.begun).isEmpty();
    }

    @Test
    void areNotMadeUpForIfTheyRan() {
      house.instance(SETTINGS);
      house.goTo("00:01");
      house.quiet();
      Cron late = house.instance(SETTINGS.withCatchUp(Duration.ofMinutes(1)));
      house.turn();
      house.quiet();
      assertThat(house.begun).containsExactly("00:01");
      assertThat(late.counts().told()).isOne();
    }

    @Test
    void areLeftByAProcessThatSleptThroughThem() {
      house.clock.set(at("00:00").minusSeconds(30));
      house.instance(DAILY, SETTINGS, Duration.ZERO, house::work);
      house.turn();
      house.goTo("03:00");
      house.quiet();
      assertThat(house.begun).isEmpty();
    }

    @Test
    void retentionMustOutlastTheMakingUp() {
      assertThatThrownBy(() -> SETTINGS.withCatchUp(Duration.ofDays(7)))
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining("could run again");
    }
  }

  @Nested
  final class WhenAProcessDies {
    /** Runs a slot and is never heard of again. */
    private void dieAt(String slot) {
      house.hold(slot);
      Cron dying = house.instance(SETTINGS);
      house.goTo(slot);
      house.until(() -> house.begun.contains(slot));
      house.kill(dying);
    }

    @Test
    void itsSlotIsInDoubtAndTheNextOneAfterItsLeaseRuns() {
      dieAt("00:01");
      Cron other = house.instance(SETTINGS);
      house.goTo("00:02");
      house.quiet();
      assertThat(house.record("00:02")).startsWith("FAILED SlotSkipped");
      house.goTo("00:07");
      house.quiet();
      assertThat(house.begun).containsExactly("00:01", "00:07");
      assertThat(other.counts().ran()).isOne();
      assertThat(house.store.find(key("00:01")).map(StoredRecord::state))
          .contains(RecordState.IN_FLIGHT);
    }

    @Test
    void othersThatKnowOfItsSlotAreToldThatItIsInDoubt() {
      house.hold("00:01");
      Cron dying = house.instance(SETTINGS);
      house.goTo("00:01");
      house.until(() -> house.begun.contains("00:01"));
      Cron other = house.instance(SETTINGS.withCatchUp(Duration.ofMinutes(1)));
      house.turn();
      house.kill(dying);
      house.goTo("00:07");
      house.quiet();
      assertThat(other.counts().told()).isOne();
      assertThat(house.seen(Event.InDoubt.class)).hasSize(1);
      assertThat(house.begun).containsExactly("00:01", "00:07");
    }

    @Test
    void itsSlotRunsAgainWhereThePolicySaysSo() {
      house.hold("00:01");
      Cron dying = house.instance(RUN_AGAIN);
      Cron other = house.instance(RUN_AGAIN);
      dying.turn();
      house.clock.set(at("00:01"));
      dying.turn();
      house.until(() -> house.begun.contains("00:01"));
      other.turn();
      house.kill(dying);
      house.clock.set(at("00:01").plus(LEASE).plusSeconds(1));
      other.turn();
      house.until(() -> house.begun.size() == 2);
      assertThat(house.begun).containsExactly("00:01", "00:01");
      assertThat(house.execution("00:01").takenOver()).isTrue();
      assertThat(house.seen(Event.TakenOver.class)).hasSize(1);
    }

    @Test
    void itsTurnAloneCostsTheSlotNothingButTime() {
      house.store.claim(
          new ClaimRequest(
              Key.of("report", "running"),
              Token.draw(),
              Fingerprint.NONE,
              LEASE,
              Duration.ofDays(1),
              TakeoverPolicy.IN_DOUBT,
              key("00:01").id()));
      Cron other = house.instance(SETTINGS);
      house.goTo("00:01");
      house.quiet();
      assertThat(house.begun).isEmpty();
      house.clock.set(at("00:05").plusSeconds(31));
      other.turn();
      house.until(() -> house.record("00:01").equals("COMPLETED ran"));
    }

    @Test
    void itsWorkThatWakesLateKnowsThatItHoldsNothing() {
      dieAt("00:01");
      assertThat(house.execution("00:01").held()).isTrue();
      house.clock.set(at("00:06").plusSeconds(1));
      assertThat(house.execution("00:01").held()).isFalse();
    }
  }

  @Test
  void whatWasDecidedForGoodIsKeptWhateverThePolicySays() {
    ExecutionPolicy giving = ExecutionPolicy.defaults().withOnFailure(FailurePolicy.RELEASE);
    assertThat(giving.isFinal(new SlotSkipped("too many"))).isTrue();
    assertThat(giving.isFinal(new SlotReplaced("by another"))).isTrue();
    assertThat(giving.withOnFailure(FailurePolicy.STORE).isFinal(new SlotWaiting())).isFalse();
  }

  @Test
  void closedCronBeginsNothingAndLetsItsSlotEnd() {
    Cron cron = house.instance(SETTINGS.withStopWithin(Duration.ZERO));
    house.hold("00:01");
    house.goTo("00:01");
    house.until(() -> house.begun.contains("00:01"));
    house.letGo("00:01");
    house.until(() -> cron.counts().running() == 0);
    cron.close();
    house.goTo("00:02");
    house.quiet();
    assertThat(house.begun).containsExactly("00:01");
  }

  /** The closing thread has seen that nothing runs, and continues. */
  @Test
  void cronThatIsClosedWhileItsTurnIsGrantedBeginsNothing() {
    List<Cron> closing = new CopyOnWriteArrayList<>();
    DisturbedStore slow =
        new DisturbedStore(house.store) {
          @Override
          public ClaimResult claim(ClaimRequest request) {
            ClaimResult answer = super.claim(request);
            closing.forEach(Cron::close);
            return answer;
          }
        };
    closing.add(house.instance(slow, SETTINGS));
    house.goTo("00:01");
    house.quiet();
    assertThat(house.begun).isEmpty();

    house.instance(SETTINGS.withCatchUp(Duration.ofMinutes(1)));
    house.turn();
    house.quiet();
    assertThat(house.begun).as("the turn was given back").containsExactly("00:01");
  }

  @Test
  void storeThatFailsBeforeTheWorkBeganCostsTheSlotNothing() {
    AtomicInteger failures = new AtomicInteger(1);
    DisturbedStore shaky =
        new DisturbedStore(house.store) {
          @Override
          public boolean renew(Key key, Token token, Duration lease) {
            boolean beforeTheWork = Thread.currentThread().isVirtual();
            if (beforeTheWork && failures.getAndDecrement() > 0) {
              throw new StoreException("away");
            }
            return super.renew(key, token, lease);
          }
        };
    Cron cron = house.instance(shaky, SETTINGS);
    house.goTo("00:01");
    house.until(() -> cron.counts().running() == 0 && !house.record("00:01").startsWith("REL"));
    assertThat(house.record("00:01")).isEqualTo("COMPLETED ran");
    assertThat(house.begun).containsExactly("00:01");
    assertThat(failures.get()).isNegative();
  }

  /** Gives its turn back while the instance's loop looks at what runs. */
  @ParameterizedTest
  @EnumSource
  void slotThatEndsIsNotFencedByItsOwnEnd(OverlapPolicy overlap) {
    List<Cron> looking = new CopyOnWriteArrayList<>();
    DisturbedStore meeting =
        new DisturbedStore(house.store) {
          @Override
          public boolean release(Key key, Token token) {
            boolean answer = super.release(key, token);
            looking.forEach(Cron::turn); // renews what it still counts among its turns
            return answer;
          }
        };
    Cron cron = house.instance(meeting, SETTINGS.withOverlap(overlap));
    looking.add(cron);
    house.clock.set(at("00:01"));
    cron.turn();
    house.until(() -> cron.counts().running() == 0);
    assertThat(house.record("00:01")).isEqualTo("COMPLETED ran");
    assertThat(house.seen(Event.Fenced.class)).isEmpty();
  }

  /** The renewal was sent before the turn was given back, and reaches the store after it. */
  @ParameterizedTest
  @EnumSource
  void slotThatEndsWhileItsTurnIsRenewedIsNotFenced(OverlapPolicy overlap) {
    CountDownLatch givenBack = new CountDownLatch(1);
    CountDownLatch answered = new CountDownLatch(1);
    DisturbedStore slow =
        new DisturbedStore(house.store) {
          @Override
          public boolean renew(Key key, Token token, Duration lease) {
            if (Thread.currentThread().isVirtual()) {
              return super.renew(key, token, lease); // the slot's own, before its work
            }
            house.letGo("00:01");
            try {
              givenBack.await();
              return super.renew(key, token, lease);
            } catch (InterruptedException e) {
              throw new StoreException("interrupted", e);
            }
          }

          @Override
          public boolean release(Key key, Token token) {
            boolean answer = super.release(key, token);
            givenBack.countDown();
            try {
              answered.await();
            } catch (InterruptedException e) {
              throw new StoreException("interrupted", e);
            }
            return answer;
          }
        };
    Cron cron = house.instance(slow, SETTINGS.withOverlap(overlap));
    house.hold("00:01");
    house.clock.set(at("00:01"));
    cron.turn();
    await().until(() -> house.begun.contains("00:01"));
    cron.turn();
    answered.countDown();
    house.until(() -> cron.counts().running() == 0);
    assertThat(house.record("00:01")).isEqualTo("COMPLETED ran");
    assertThat(house.seen(Event.Fenced.class)).isEmpty();
  }

  @Test
  void slotThatLostItsTurnIsFenced() {
    Cron cron = house.instance(SETTINGS);
    house.hold("00:01");
    house.goTo("00:01");
    house.until(() -> house.begun.contains("00:01"));
    house.clock.pass(LEASE.plusSeconds(1));
    house.store.claim(
        new ClaimRequest(
            Key.of("report", "running"),
            Token.draw(),
            Fingerprint.NONE,
            LEASE,
            Duration.ofDays(1),
            TakeoverPolicy.RUN_AGAIN,
            key("00:06").id()));
    cron.turn();
    assertThat(house.seen(Event.Fenced.class)).hasSize(1);
  }

  @Test
  void slotIdsAreReadBackWithTheirFractions() {
    for (Instant slot :
        List.of(at("00:01"), at("00:01").plusSeconds(5), at("00:01").plusMillis(20))) {
      assertThat(CronGate.slot(CronGate.id(slot))).isEqualTo(slot);
    }
    assertThat(CronGate.id(at("00:00"))).isEqualTo("2026-11-17T00:00Z");
  }
}

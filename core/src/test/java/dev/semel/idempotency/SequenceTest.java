package dev.semel.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.InvalidInput;
import dev.semel.Key;
import dev.semel.Token;
import dev.semel.event.SemelListener;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.idempotency.spi.RecordState;
import dev.semel.idempotency.spi.Store;
import dev.semel.idempotency.spi.StoredRecord;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SequenceTest {
  private static final String ALICE = "user-1";
  private static final Duration LEASE = Duration.ofMinutes(5);

  private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
  private final MemoryStore store = new MemoryStore((InstantSource) now::get);
  private final Idempotency idempotency = new Idempotency(store, SemelListener.NONE);
  private final Sequence sequence = idempotency.sequence();

  @AfterEach
  void close() {
    idempotency.close();
  }

  private static ExecutionRequest<String> withdrawal(String id) {
    return ExecutionRequest.of(Key.of("payout", id), Codec.utf8())
        .withPolicy(ExecutionPolicy.defaults().withLease(LEASE));
  }

  @Test
  void stepsFollowEachOther() {
    assertThat(sequence.execute(ALICE, withdrawal("w1"), e -> "10").value()).contains("10");
    assertThat(sequence.execute(ALICE, withdrawal("w2"), e -> "20").value()).contains("20");
  }

  @Test
  void theNextStepIsRefusedWhileTheLastOneRunsAndToldWhichOne() {
    sequence.execute(
        ALICE,
        withdrawal("w1"),
        e -> {
          Outcome<String> next = sequence.execute(ALICE, withdrawal("w2"), x -> "20");
          assertThat(((Outcome.InFlight<String>) next).original().requestId()).isEqualTo("w1");
          return "10";
        });
    assertThat(store.find(Key.of("payout", "w2"))).isEmpty();
  }

  @Test
  void anotherSubjectIsNotHeldUp() {
    sequence.execute(
        ALICE,
        withdrawal("w1"),
        e -> {
          assertThat(sequence.execute("user-2", withdrawal("w9"), x -> "90").value())
              .contains("90");
          return "10";
        });
  }

  @Test
  void aRetryOfAnEndedStepIsReplayedEvenWhileALaterOneRuns() {
    sequence.execute(ALICE, withdrawal("w1"), e -> "10");
    sequence.execute(
        ALICE,
        withdrawal("w2"),
        e -> {
          assertThat(sequence.execute(ALICE, withdrawal("w1"), x -> "again"))
              .isInstanceOf(Outcome.Replayed.class);
          return "20";
        });
  }

  @Test
  void aStepThatFailedHasEnded() {
    assertThatThrownBy(
            () ->
                sequence.execute(
                    ALICE,
                    withdrawal("w1"),
                    e -> {
                      throw new IOException("no funds");
                    }))
        .isInstanceOf(IOException.class);
    assertThat(sequence.execute(ALICE, withdrawal("w2"), e -> "20").value()).contains("20");
  }

  @Test
  void afterADeadStepTheNextOneIsInDoubtUntilSomeoneFoundOutHowItEnded() {
    dieInside("w1", true);

    Outcome<String> next = sequence.execute(ALICE, withdrawal("w2"), e -> "20");
    assertThat(((Outcome.InDoubt<String>) next).original().requestId()).isEqualTo("w1");

    store.forceRelease(Key.of("payout", "w1")); // the operator found that it did not happen
    assertThat(sequence.execute(ALICE, withdrawal("w2"), e -> "20").value()).contains("20");
  }

  @Test
  void aStepThatDiedBeforeItBeganHoldsNobodyUpForLong() {
    dieInside("w1", false);
    assertThat(sequence.execute(ALICE, withdrawal("w2"), e -> "20").value()).contains("20");
  }

  @Test
  void aStepThatLostItsTurnBeforeItBeganDoesNotRun() {
    ExecutionRequest<String> late =
        withdrawal("w1").withPolicy(withdrawal("w1").policy().withOnFailure(FailurePolicy.STORE));
    FaultyTurn turn = new FaultyTurn(store);
    try (Idempotency slow = new Idempotency(turn, SemelListener.NONE)) {
      turn.betweenClaims =
          () -> {
            now.updateAndGet(t -> t.plus(LEASE));
            assertThat(sequence.execute(ALICE, withdrawal("w2"), e -> "20").value()).contains("20");
          };
      Outcome<String> outcome = slow.sequence().execute(ALICE, late, e -> "must not run");
      assertThat(outcome).isInstanceOf(Outcome.InFlight.class);
    }
    assertThat(store.find(Key.of("payout", "w1")).map(StoredRecord::state))
        .contains(RecordState.RELEASED);
  }

  @Test
  void aStepIdMustFitIntoTheGatesRecord() {
    assertThatThrownBy(() -> sequence.execute(ALICE, withdrawal("w".repeat(129)), e -> "x"))
        .isInstanceOf(InvalidInput.class);
  }

  /** Leaves behind what a worker leaves that dies inside the gate, before or after it began. */
  private void dieInside(String step, boolean begun) {
    claim(Key.of("payout", "~gate~" + ALICE), step);
    if (begun) {
      claim(Key.of("payout", step), "");
    }
    now.updateAndGet(t -> t.plus(LEASE));
  }

  private void claim(Key key, String requestId) {
    store.claim(
        new ClaimRequest(
            key,
            Token.draw(),
            Fingerprint.NONE,
            LEASE,
            Duration.ofDays(1),
            TakeoverPolicy.IN_DOUBT,
            requestId));
  }

  /** Sleeps past its lease between the gate's claim and the step's. */
  private static final class FaultyTurn extends DisturbedStore {
    Runnable betweenClaims = () -> {};

    FaultyTurn(Store store) {
      super(store);
    }

    @Override
    public ClaimResult claim(ClaimRequest request) {
      ClaimResult claim = super.claim(request);
      if (request.key().id().startsWith("~gate~")) {
        betweenClaims.run();
      }
      return claim;
    }
  }

  @Test
  void whereAnOperationIsSwitchedOffAStepHoldsUpNobodyWhenItIsOver() {
    OperationSettings off = new OperationSettings(Map.of(OperationSetting.MODE, "off"));
    store.settings().write(withdrawal("w1").key().operation(), 0, off.text());
    idempotency.settings().refresh();
    assertThat(sequence.execute(ALICE, withdrawal("w1"), e -> "10").value()).contains("10");
    assertThat(sequence.execute(ALICE, withdrawal("w2"), e -> "20").value()).contains("20");
  }

  @Test
  void aRetryOfAnEndedStepIsKnownByAnOlderFingerprintToo() {
    Fingerprint older = Fingerprint.of("10 EUR");
    sequence.execute(ALICE, withdrawal("w1").withFingerprint(older), e -> "10");
    ExecutionRequest<String> now =
        withdrawal("w1").withFingerprints(List.of(Fingerprint.of("10 EUR, fast"), older));
    assertThat(sequence.execute(ALICE, now, e -> "again")).isInstanceOf(Outcome.Replayed.class);
  }
}

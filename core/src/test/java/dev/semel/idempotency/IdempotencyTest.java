package dev.semel.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.event.Event;
import dev.semel.idempotency.FaultyStore.Fault;
import dev.semel.idempotency.internal.ClaimQuestion;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.idempotency.spi.DecisionCounter;
import dev.semel.idempotency.spi.DecisionCounts;
import dev.semel.idempotency.spi.RecordState;
import dev.semel.idempotency.spi.StatisticsStore;
import dev.semel.idempotency.spi.StoredRecord;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class IdempotencyTest {
  private static final Key KEY = Key.of("payment", "order-123");
  private static final Fingerprint TEN_EUROS = Fingerprint.of("10 EUR");

  private final MemoryStore memory = new MemoryStore(InstantSource.system());
  private final FaultyStore store = new FaultyStore(memory);
  private final List<Event> events = new CopyOnWriteArrayList<>();
  private final Idempotency idempotency = new Idempotency(store, events::add);
  private final AtomicInteger charged = new AtomicInteger();

  @AfterEach
  void close() {
    idempotency.close();
  }

  private ExecutionRequest<String> request() {
    return ExecutionRequest.of(KEY, Codec.utf8())
        .withFingerprint(TEN_EUROS)
        .withRequestId("job_123");
  }

  private ExecutionRequest<String> request(ExecutionPolicy policy) {
    return request().withPolicy(policy);
  }

  private String charge(Execution execution) {
    return "receipt " + charged.incrementAndGet();
  }

  private DecisionCounts counts() {
    idempotency.close();
    return memory
        .statistics()
        .read()
        .getOrDefault(
            new StatisticsStore.Scope(KEY.tenant(), KEY.operation()), DecisionCounts.ZERO);
  }

  @Test
  void theFirstCallerRunsAndEveryLaterOneGetsItsResponse() {
    Outcome<String> first = idempotency.execute(request(), this::charge);
    Outcome<String> second = idempotency.execute(request().withRequestId("job_456"), this::charge);

    assertThat(first).isEqualTo(new Outcome.Executed<>("receipt 1", 1, true));
    assertThat(second).isInstanceOf(Outcome.Replayed.class);
    assertThat(second.value()).contains("receipt 1");
    assertThat(((Outcome.Replayed<String>) second).original().requestId()).isEqualTo("job_123");
    assertThat(charged).hasValue(1);
    assertThat(store.claims).hasValue(2);
    assertThat(store.completions).hasValue(1);
  }

  @Test
  @SuppressWarnings("NullAway") // what no checker keeps others from
  void nullIsRefusedByACodecThatCannotHoldItAndNobodyRepeatsTheWork() {
    for (Codec<?> codec : List.of(Codec.utf8(), Codec.bytes())) {
      Key key = Key.of("null", codec.type().substring(0, 4));
      AtomicInteger runs = new AtomicInteger();
      assertThatThrownBy(
              () ->
                  idempotency.execute(
                      ExecutionRequest.of(key, codec),
                      execution -> {
                        runs.incrementAndGet();
                        return null;
                      }))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("the work returned null")
          .hasMessageContaining("Codec.nothing()");
      Outcome<?> duplicate =
          idempotency.execute(ExecutionRequest.of(key, codec), execution -> null);
      assertThat(duplicate)
          .isInstanceOfSatisfying(
              Outcome.Failed.class,
              failed -> {
                assertThat(failed.failure().kind()).isEqualTo(StoredFailure.RESPONSE_NOT_KEPT);
                assertThat(failed.failure().message()).contains("returned null", "nothing()");
              });
      assertThat(runs).hasValue(1);
    }
  }

  @Test
  @SuppressWarnings("NullAway")
  void workWithoutAResultIsReplayedAsThat() {
    ExecutionRequest<Void> nothing = ExecutionRequest.of(Key.of("mail", "1"), Codec.nothing());
    Work<Void, RuntimeException> mail =
        execution -> {
          charged.incrementAndGet();
          return null;
        };
    Outcome<Void> first = idempotency.execute(nothing, mail);
    Outcome<Void> second = idempotency.execute(nothing, mail);
    assertThat(first).isEqualTo(new Outcome.Executed<Void>(null, 1, true));
    assertThat(first.value()).isEmpty();
    assertThat(second)
        .isInstanceOfSatisfying(
            Outcome.Replayed.class, replayed -> assertThat(replayed.result()).isNull());
    assertThat(second.value()).isEmpty();
    assertThat(charged).hasValue(1);
  }

  @Test
  void anotherRequestUnderTheSameKeyIsRefused() {
    idempotency.execute(request(), this::charge);

    Outcome<String> other =
        idempotency.execute(request().withFingerprint(Fingerprint.of("99 EUR")), this::charge);

    assertThat(other).isInstanceOf(Outcome.Mismatch.class);
    assertThat(charged).hasValue(1);
  }

  @Test
  void aRequestRecordedUnderAnOlderFingerprintIsRecognised() {
    Fingerprint older = Fingerprint.of("fields v1");
    idempotency.execute(request().withFingerprint(older), this::charge);

    Outcome<String> later =
        idempotency.execute(
            request().withFingerprints(List.of(Fingerprint.of("fields v2"), older)), this::charge);

    assertThat(later.value()).contains("receipt 1");
    assertThat(charged).hasValue(1);
  }

  @Test
  void theWorkKnowsItsAttemptAndAnEffectKeyThatStaysTheSame() throws IOException {
    String[] effectKeys = new String[2];
    assertThatThrownBy(
            () ->
                idempotency.execute(
                    request(),
                    execution -> {
                      effectKeys[0] = execution.effectKey();
                      throw new IOException("declined for now");
                    }))
        .isInstanceOf(IOException.class);

    Outcome<String> retry =
        idempotency.execute(
            request(),
            execution -> {
              effectKeys[1] = execution.effectKey();
              assertThat(execution.attempt()).isEqualTo(2);
              assertThat(execution.takenOver()).isFalse();
              assertThat(execution.held()).isTrue();
              return charge(execution);
            });

    assertThat(retry).isEqualTo(new Outcome.Executed<>("receipt 1", 2, true));
    assertThat(effectKeys[0]).isEqualTo(effectKeys[1]).isEqualTo(KEY.effectKey());
  }

  @Test
  void aDuplicateIsRefusedAtOnceWhileTheFirstRuns() {
    idempotency.execute(
        request(),
        execution -> {
          Outcome<String> duplicate = idempotency.execute(request(), this::charge);
          assertThat(duplicate).isInstanceOf(Outcome.InFlight.class);
          assertThat(((Outcome.InFlight<String>) duplicate).left()).isPositive();
          return charge(execution);
        });
    assertThat(charged).hasValue(1);
  }

  @Test
  void everyDecisionIsCountedPerTenantAndOperation() {
    idempotency.execute(request(), this::charge);
    idempotency.execute(request(), this::charge);
    idempotency.execute(request().withFingerprint(Fingerprint.of("x")), this::charge);

    DecisionCounts counts = counts();
    assertThat(counts.get(DecisionCounter.REQUESTS)).isEqualTo(3);
    assertThat(counts.get(DecisionCounter.EXECUTED)).isEqualTo(1);
    assertThat(counts.get(DecisionCounter.DUPLICATES)).isEqualTo(1);
    assertThat(counts.get(DecisionCounter.REPLAYS)).isEqualTo(1);
    assertThat(counts.get(DecisionCounter.MISMATCHES)).isEqualTo(1);
    assertThat(counts.hitRate()).isEqualTo(1 / 3.0);
  }

  @Test
  void everyDecisionIsAnEvent() {
    idempotency.execute(request(), this::charge);
    idempotency.execute(request(), this::charge);

    assertThat(events)
        .extracting(Event::getClass)
        .isEqualTo(List.of(Event.Claimed.class, Event.Completed.class, Event.Replayed.class));
  }

  @Test
  void aListenerThatThrowsDoesNotDisturbTheExecution() {
    try (Idempotency disturbed =
        new Idempotency(
            memory,
            event -> {
              throw new IllegalStateException("a bug in the listener");
            })) {
      assertThat(disturbed.execute(request(), this::charge).value()).contains("receipt 1");
    }
  }

  @Nested
  class WhenTheWorkFails {
    @Test
    void theKeyIsGivenBackAndARetryRuns() {
      assertThatThrownBy(
              () ->
                  idempotency.execute(
                      request(),
                      execution -> {
                        throw new IOException("down");
                      }))
          .isInstanceOf(IOException.class);

      assertThat(idempotency.execute(request(), IdempotencyTest.this::charge).value())
          .contains("receipt 1");
      assertThat(events).anyMatch(Event.Released.class::isInstance);
    }

    @Test
    void aFinalFailureIsKeptAndReplayed() {
      ExecutionPolicy keep =
          ExecutionPolicy.defaults().withOnFailure(e -> e instanceof IllegalArgumentException);
      IllegalArgumentException declined = new IllegalArgumentException("card declined");

      Outcome<String> first =
          idempotency.execute(
              request(keep),
              execution -> {
                throw declined;
              });
      Outcome<String> second = idempotency.execute(request(keep), IdempotencyTest.this::charge);

      StoredFailure failure =
          new StoredFailure("java.lang.IllegalArgumentException", "card declined");
      assertThat(first).isEqualTo(new Outcome.Failed<>(failure, Optional.of(declined)));
      assertThat(second).isEqualTo(new Outcome.Failed<>(failure, Optional.empty()));
      assertThat(charged).hasValue(0);
    }

    @Test
    void anErrorLeavesTheClaimAsACrashWould() {
      assertThatThrownBy(
              () ->
                  idempotency.execute(
                      request(),
                      execution -> {
                        throw new AssertionError("half way");
                      }))
          .isInstanceOf(AssertionError.class);

      assertThat(idempotency.execute(request(), IdempotencyTest.this::charge))
          .isInstanceOf(Outcome.InFlight.class);
    }
  }

  @Nested
  class WhenTheResponseCannotBeKept {
    private final ExecutionPolicy small = ExecutionPolicy.defaults().withMaxResponseBytes(4);

    @Test
    void theFirstCallerHasItAndLaterOnesAreToldInsteadOfRunning() {
      Outcome<String> first = idempotency.execute(request(small), IdempotencyTest.this::charge);
      Outcome<String> second = idempotency.execute(request(small), IdempotencyTest.this::charge);

      assertThat(first).isEqualTo(new Outcome.Executed<>("receipt 1", 1, true));
      assertThat(((Outcome.Failed<String>) second).failure().kind())
          .isEqualTo(StoredFailure.RESPONSE_NOT_KEPT);
      assertThat(charged).hasValue(1);
    }
  }

  @Nested
  class WhileTheWorkRuns {
    private static final Duration LEASE = Duration.ofMinutes(10);

    private final ExecutionPolicy policy = ExecutionPolicy.defaults().withLease(LEASE);
    private final StandingMachine machine = new StandingMachine();
    private final Idempotency standing = new Idempotency(store, events::add, machine);

    @AfterEach
    void closeStanding() {
      standing.close();
    }

    /** Time goes on until a renewal is due, and that renewal is over. */
    private void passUntilRenewed(Duration time) {
      int before = machine.ended();
      machine.pass(time);
      until(() -> machine.ended() > before);
    }

    @Test
    void theLeaseIsRenewedAsLongAsItTakes() {
      Outcome<String> outcome =
          standing.execute(
              request(policy),
              execution -> {
                passUntilRenewed(StandingMachine.untilRenewal(LEASE));
                passUntilRenewed(StandingMachine.untilRenewal(LEASE));
                assertThat(execution.held()).as("for longer than a lease").isTrue();
                return charge(execution);
              });

      assertThat(outcome).isEqualTo(new Outcome.Executed<>("receipt 1", 1, true));
    }

    @Test
    void aRenewalThatFailsIsTriedAgainWithinTheRestOfTheLease() {
      store.onRenew.add(Fault.REQUEST_LOST);
      Outcome<String> outcome =
          standing.execute(
              request(policy),
              execution -> {
                passUntilRenewed(StandingMachine.untilRenewal(LEASE));
                assertThat(store.onRenew).as("faults that are still to come").isEmpty();
                passUntilRenewed(LEASE.dividedBy(10));
                machine.pass(LEASE.dividedBy(2));
                assertThat(execution.held()).as("for longer than a lease").isTrue();
                return charge(execution);
              });
      assertThat(outcome).isEqualTo(new Outcome.Executed<>("receipt 1", 1, true));
    }

    @Test
    void aWorkerThatLostItsKeyIsToldAndCannotComplete() {
      Outcome<String> outcome =
          standing.execute(
              request(policy),
              execution -> {
                memory.forceRelease(KEY);
                passUntilRenewed(StandingMachine.untilRenewal(LEASE));
                assertThat(execution.held()).isFalse();
                return charge(execution);
              });

      assertThat(outcome).isEqualTo(new Outcome.Executed<>("receipt 1", 1, false));
      assertThat(events).filteredOn(Event.Fenced.class::isInstance).hasSize(2);
      assertThat(memory.find(KEY).map(StoredRecord::state)).contains(RecordState.RELEASED);
    }

    @Test
    void renewalStopsAtMaxHold() {
      Outcome<String> outcome =
          standing.execute(
              request(policy.withMaxHold(LEASE)),
              execution -> {
                assertThat(execution.held()).isTrue();
                machine.pass(LEASE);
                assertThat(execution.held()).isFalse();
                return charge(execution);
              });
      // Nobody took over, so the token still decides in its favour.
      assertThat(outcome).isEqualTo(new Outcome.Executed<>("receipt 1", 1, true));
    }
  }

  @Test
  void workThatOutlivesItsRecordSaysSo() {
    Outcome<String> outcome =
        idempotency.execute(
            request(),
            execution -> {
              memory.delete(KEY); // as the end of its retention would
              return charge(execution);
            });
    assertThat(outcome).isEqualTo(new Outcome.Executed<>("receipt 1", 1, false));
    assertThat(events).anyMatch(Event.Outlived.class::isInstance);
    assertThat(counts().get(DecisionCounter.OUTLIVED)).isEqualTo(1);
  }

  @Nested
  class WhenAHolderDied {
    private final ExecutionPolicy brief =
        ExecutionPolicy.defaults().withLease(Duration.ofMillis(30));

    private void die() {
      ClaimRequest claim = ClaimQuestion.of(request(brief), Token.draw()).claim();
      memory.claim(claim);
      until(() -> !memory.find(KEY).orElseThrow().leaseLeft().isPositive());
    }

    @Test
    void callersAreToldThatItIsInDoubt() {
      die();
      assertThat(idempotency.execute(request(brief), IdempotencyTest.this::charge))
          .isInstanceOf(Outcome.InDoubt.class);
      assertThat(charged).hasValue(0);
    }

    @Test
    void orRunAgainByChoiceAndAreToldSo() {
      die();
      Outcome<String> outcome =
          idempotency.execute(
              request(brief.withTakeover(TakeoverPolicy.RUN_AGAIN)),
              execution -> {
                assertThat(execution.takenOver()).isTrue();
                return charge(execution);
              });
      assertThat(outcome).isEqualTo(new Outcome.Executed<>("receipt 1", 2, true));
      assertThat(events).anyMatch(Event.TakenOver.class::isInstance);
      assertThat(counts().get(DecisionCounter.TAKEOVERS)).isEqualTo(1);
    }

    @Test
    void oneThatTookOverAndFailedLeavesTheDoubtToTheNext() {
      die();
      ExecutionPolicy again = brief.withTakeover(TakeoverPolicy.RUN_AGAIN);
      assertThatThrownBy(() -> idempotency.execute(request(again), e -> fail()))
          .isInstanceOf(IllegalStateException.class);
      until(() -> !memory.find(KEY).orElseThrow().leaseLeft().isPositive());

      assertThat(idempotency.execute(request(brief), IdempotencyTest.this::charge))
          .isInstanceOf(Outcome.InDoubt.class);
      List<Boolean> warned = new ArrayList<>();
      idempotency.execute(
          request(again),
          execution -> {
            warned.add(execution.takenOver());
            return charge(execution);
          });
      assertThat(warned).containsExactly(true);
    }

    private String fail() {
      throw new IllegalStateException("the bank said no");
    }
  }

  private static void until(Callable<Boolean> condition) {
    await().pollInterval(Duration.ofMillis(1)).until(condition);
  }
}

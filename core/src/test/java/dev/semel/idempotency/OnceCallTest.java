package dev.semel.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.semel.ExecutionOrigin;
import dev.semel.InvalidInput;
import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.event.SemelListener;
import dev.semel.idempotency.spi.RecordState;
import dev.semel.idempotency.spi.StoredRecord;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One call at the front door: its ways to run, and results that come later, under faults. */
class OnceCallTest {
  private static final Key KEY = Key.of("payment", "order-123");
  private static final Duration LEASE = Duration.ofMinutes(10);

  private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
  private final MemoryStore memory = new MemoryStore((InstantSource) now::get);
  private final FaultyStore store = new FaultyStore(memory);
  private final StandingMachine machine = new StandingMachine();
  private final Idempotency idempotency = new Idempotency(store, SemelListener.NONE, machine);
  private final AtomicInteger runs = new AtomicInteger();
  private final CompletableFuture<String> bank = new CompletableFuture<>();

  @AfterEach
  void close() {
    bank.complete("closed"); // so that a waiting call can end
    idempotency.close();
  }

  private OnceCall<String> call() {
    return idempotency.once(KEY).lease(LEASE);
  }

  private CompletableFuture<Outcome<String>> begun(
      OnceCall<String> call, Function<Execution, @Nullable CompletionStage<String>> work) {
    CountDownLatch running = new CountDownLatch(1);
    CompletableFuture<Outcome<String>> outcome =
        call.runAsync(
                execution -> {
                  runs.incrementAndGet();
                  running.countDown();
                  return work.apply(execution);
                })
            .toCompletableFuture();
    awaited(running);
    return outcome;
  }

  private CompletableFuture<Outcome<String>> begun(OnceCall<String> call) {
    return begun(call, execution -> bank);
  }

  private static void awaited(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private Outcome<String> duplicate() {
    return call().run(execution -> "run " + runs.incrementAndGet());
  }

  /** In doubt is said of a lease that ended, and it ended at this very moment. */
  private void aMomentLater() {
    now.updateAndGet(t -> t.plusMillis(1));
  }

  @Test
  void workWithoutAResultIsReplayedAsThat() {
    Outcome<Void> first = call().perform(execution -> runs.incrementAndGet());
    Outcome<Void> second = call().perform(execution -> runs.incrementAndGet());
    assertThat(first).isInstanceOf(Outcome.Executed.class);
    assertThat(second).isInstanceOf(Outcome.Replayed.class);
    assertThat(runs).hasValue(1);
  }

  @Test
  void aStepWaitsUntilTheLastOneOfItsSubjectEnded() {
    CompletableFuture<Outcome<String>> first = begun(call().inSequence("account-7"));
    OnceCall<String> next = idempotency.once(Key.of("payment", "order-124"));
    assertThat(next.inSequence("account-7").run(execution -> "beside"))
        .isInstanceOf(Outcome.InFlight.class);
    assertThat(next.inSequence("account-8").run(execution -> "another's"))
        .isInstanceOf(Outcome.Executed.class);
    bank.complete("paid");
    assertThat(first.join()).isInstanceOf(Outcome.Executed.class);
    assertThat(
            idempotency
                .once(Key.of("payment", "order-125"))
                .inSequence("account-7")
                .run(execution -> "next"))
        .isInstanceOf(Outcome.Executed.class);
  }

  @Test
  void aStoreAloneJoinsNoTransaction() {
    Connection connection = connection();
    assertThatThrownBy(() -> call().inTransaction(connection))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("Semel.open(url)");
  }

  @Test
  void aStepOfASequenceJoinsNoTransaction() {
    OnceCall<String> joined =
        OnceCall.of(KEY, idempotency, c -> idempotency).inTransaction(connection());
    assertThatThrownBy(() -> joined.inSequence("account-7"))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("in a transaction already");
    OnceCall<String> step = OnceCall.of(KEY, idempotency, c -> idempotency).inSequence("account-7");
    assertThatThrownBy(() -> step.inTransaction(connection()))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("a step of a sequence already");
  }

  @Test
  void inACallersTransactionNobodyIsWaitedForAndNoFailureIsStoredWhateverThePolicySays() {
    OnceCall<String> joined =
        OnceCall.of(KEY, idempotency, c -> idempotency).inTransaction(connection());
    ExecutionPolicy stores = ExecutionPolicy.defaults().withOnFailure(FailurePolicy.STORE);
    assertThatThrownBy(
            () ->
                joined
                    .policy(stores)
                    .run(
                        execution -> {
                          throw new IllegalStateException("out of stock");
                        }))
        .hasMessage("out of stock");
    CompletableFuture<Outcome<String>> first = begun(call());
    assertThat(joined.waitUpTo(Duration.ofHours(1)).run(execution -> "beside"))
        .isInstanceOf(Outcome.InFlight.class);
    assertThat(first).isNotDone();
  }

  /** Its statements would run on a thread that the transaction does not belong to. */
  @Test
  void aLaterResultInACallersTransactionIsRefusedBeforeAnythingRuns() {
    OnceCall<String> joined =
        OnceCall.of(KEY, idempotency, c -> idempotency).inTransaction(connection());
    assertThatThrownBy(
            () ->
                joined.runAsync(
                    execution -> {
                      runs.incrementAndGet();
                      return bank;
                    }))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("belongs to one thread");
    assertThat(runs).hasValue(0);
    assertThat(memory.find(KEY)).isEmpty();
  }

  private static Connection connection() {
    return (Connection)
        Proxy.newProxyInstance(
            OnceCallTest.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              throw new UnsupportedOperationException(method.getName());
            });
  }

  @Test
  void aCallerIsNotHeldUpWhileTheStoreIsAsked() {
    CountDownLatch asked = new CountDownLatch(1);
    store.during = () -> awaited(asked);
    CompletableFuture<Outcome<String>> outcome =
        call().runAsync(execution -> bank).toCompletableFuture();
    assertThat(outcome).isNotDone();
    asked.countDown();
    bank.complete("paid");
    assertThat(outcome.join()).isEqualTo(new Outcome.Executed<>("paid", 1, true));
  }

  @Test
  void aDuplicateOfALaterResultWaitsForItAsToldAndGetsIt() {
    CompletableFuture<Outcome<String>> first = begun(call());
    assertThat(duplicate()).isInstanceOf(Outcome.InFlight.class);
    CompletableFuture<Outcome<String>> second =
        call()
            .waitUpTo(Duration.ofHours(1))
            .runAsync(execution -> CompletableFuture.completedFuture("twice"))
            .toCompletableFuture();
    bank.complete("paid");
    assertThat(first.join()).isEqualTo(new Outcome.Executed<>("paid", 1, true));
    assertThat(second.join().value()).contains("paid");
    assertThat(runs).hasValue(1);
  }

  @Test
  void aStageThatDoesNotEndKeepsItsKeyBecauseItsLeaseIsRenewed() {
    CompletableFuture<Outcome<String>> first = begun(call());
    for (int i = 0; i < 5; i++) {
      int before = store.renewals.get();
      now.updateAndGet(t -> t.plus(StandingMachine.untilRenewal(LEASE)));
      int ended = machine.ended();
      machine.pass(StandingMachine.untilRenewal(LEASE));
      await()
          .pollInterval(Duration.ofMillis(1))
          .until(() -> machine.ended() > ended && store.renewals.get() > before);
    }
    assertThat(duplicate()).as("after three leases").isInstanceOf(Outcome.InFlight.class);
    bank.complete("paid");
    assertThat(first.join()).isEqualTo(new Outcome.Executed<>("paid", 1, true));
    assertThat(runs).hasValue(1);
  }

  @Test
  void aStageThatNeverEndsIsInDoubtOnceItWasHeldForTheLongest() {
    ExecutionPolicy policy = ExecutionPolicy.defaults().withLease(LEASE).withMaxHold(LEASE);
    CompletableFuture<Outcome<String>> first = begun(call().policy(policy));
    machine.pass(LEASE);
    now.updateAndGet(t -> t.plus(LEASE));
    assertThat(duplicate()).isInstanceOf(Outcome.InDoubt.class);
    assertThat(first).isNotDone();
    assertThat(runs).hasValue(1);
  }

  @Test
  void aStageThatFailsGivesItsKeyBackAndTellsTheCauseItself() {
    CompletableFuture<Outcome<String>> first =
        begun(
            call(),
            execution ->
                CompletableFuture.supplyAsync(
                    () -> {
                      throw new IllegalStateException("the bank said no");
                    }));
    assertThatThrownBy(first::join)
        .isInstanceOf(CompletionException.class)
        .cause()
        .isExactlyInstanceOf(IllegalStateException.class)
        .hasMessage("the bank said no");
    assertThat(duplicate()).isInstanceOf(Outcome.Executed.class);
  }

  @Test
  void aStageThatFailsForGoodIsStoredByThePolicy() {
    ExecutionPolicy stores =
        ExecutionPolicy.defaults()
            .withOnFailure(failure -> failure instanceof IOException ioe && ioe.getCause() == null);
    CompletableFuture<Outcome<String>> first = begun(call().policy(stores));
    bank.completeExceptionally(new CompletionException(new IOException("no such account")));
    assertThat(first.join()).isInstanceOf(Outcome.Failed.class);
    Outcome<String> later = duplicate();
    assertThat(later).isInstanceOf(Outcome.Failed.class);
    assertThat(((Outcome.Failed<String>) later).failure().message()).contains("no such account");
    assertThat(runs).hasValue(1);
  }

  @Test
  void workThatThrowsBeforeThereIsAStageFailsAsItsStageWould() {
    CompletableFuture<Outcome<String>> first =
        begun(
            call(),
            execution -> {
              throw new IllegalStateException("not even begun");
            });
    assertThatThrownBy(first::join).hasRootCauseMessage("not even begun");
    assertThat(duplicate()).isInstanceOf(Outcome.Executed.class);
  }

  @Test
  void anErrorLeavesTheClaimAsACrashWould() {
    CompletableFuture<Outcome<String>> first =
        begun(call(), execution -> CompletableFuture.failedFuture(new AssertionError("a bug")));
    assertThatThrownBy(first::join).hasCauseInstanceOf(AssertionError.class);
    assertThat(duplicate()).isInstanceOf(Outcome.InFlight.class);
    now.updateAndGet(t -> t.plus(LEASE));
    assertThat(duplicate()).isInstanceOf(Outcome.InDoubt.class);
  }

  @Test
  void nullInPlaceOfAStageIsAResultOfNullAndTookEffect() {
    CompletableFuture<Outcome<String>> refused = begun(call(), execution -> null);
    assertThatThrownBy(refused::join)
        .hasCauseInstanceOf(IllegalStateException.class)
        .hasMessageContaining("it took effect");
    assertThat(duplicate()).isInstanceOf(Outcome.Failed.class);
    assertThat(runs).hasValue(1);

    OnceCall<Void> without = idempotency.once(Key.of("mail", "m-1")).returning(Codec.nothing());
    assertThat(without.runAsync(execution -> null).toCompletableFuture().join())
        .isInstanceOf(Outcome.Executed.class);
    assertThat(without.runAsync(execution -> null).toCompletableFuture().join())
        .isInstanceOf(Outcome.Replayed.class);
  }

  /** What it stands for may go on: a call that was sent is not called back. */
  @Test
  void aStageOfTheWorkThatIsCancelledOrTimesOutIsInDoubt() {
    CompletableFuture<Outcome<String>> first = begun(call());
    bank.cancel(true);
    assertThatThrownBy(first::join).hasCauseInstanceOf(EffectUnknown.class);
    aMomentLater();
    assertThat(duplicate()).isInstanceOf(Outcome.InDoubt.class);

    CompletableFuture<Outcome<String>> late =
        begun(
            idempotency.once(Key.of("payment", "late")),
            execution -> CompletableFuture.failedFuture(new TimeoutException("after 5 s")));
    assertThatThrownBy(late::join).hasCauseInstanceOf(EffectUnknown.class);
    aMomentLater();
    assertThat(idempotency.once(Key.of("payment", "late")).run(execution -> "again"))
        .isInstanceOf(Outcome.InDoubt.class);
  }

  @Test
  void cancellingTheAnswerStopsNothingAndWhatHappenedIsRecorded() {
    CompletableFuture<Outcome<String>> first = begun(call());
    assertThat(first.cancel(true)).isTrue();
    assertThat(duplicate()).isInstanceOf(Outcome.InFlight.class);
    bank.complete("paid");
    await()
        .until(
            () -> memory.find(KEY).map(StoredRecord::state).filter(RecordState::ended).isPresent());
    assertThat(duplicate().value()).contains("paid");
    assertThat(runs).hasValue(1);
  }

  @Test
  void aStoreThatIsAwayBeforeTheWorkBeginsIsToldByTheStage() {
    store.away = true;
    CompletableFuture<Outcome<String>> outcome =
        call()
            .runAsync(
                execution -> {
                  runs.incrementAndGet();
                  return bank;
                })
            .toCompletableFuture();
    passUntilDone(outcome);
    assertThatThrownBy(outcome::join).hasCauseInstanceOf(StoreException.class);
    assertThat(runs).hasValue(0);
  }

  /** It took effect and nobody can read that: the next one is in doubt, and never runs. */
  @Test
  void aStoreThatIsAwayAtTheEndLeavesTheOutcomeInDoubt() {
    CompletableFuture<Outcome<String>> first = begun(call());
    store.completionsLost = true;
    bank.complete("paid");
    passUntilDone(first);
    assertThat(first.join()).isEqualTo(new Outcome.Executed<>("paid", 1, false));
    store.completionsLost = false;
    now.updateAndGet(t -> t.plus(LEASE.multipliedBy(3)));
    assertThat(duplicate()).isInstanceOf(Outcome.InDoubt.class);
    assertThat(runs).hasValue(1);
  }

  /** Calls are tried again until the lease is over, by this machine's time. */
  private void passUntilDone(CompletableFuture<?> outcome) {
    await()
        .pollInterval(Duration.ofMillis(1))
        .until(
            () -> {
              machine.pass(LEASE.dividedBy(20));
              return outcome.isDone();
            });
  }

  @Test
  void theWorkOfALaterResultRunsAsPartOfItsOperation() {
    CompletableFuture<String> seen = new CompletableFuture<>();
    begun(
            call(),
            execution -> {
              seen.complete(ExecutionOrigin.current().key());
              return CompletableFuture.completedFuture("paid");
            })
        .join();
    assertThat(seen.join()).isEqualTo(KEY.toString());
  }
}

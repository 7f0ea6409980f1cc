package dev.semel.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.Token;
import dev.semel.event.Event;
import dev.semel.event.SemelListener;
import dev.semel.idempotency.FaultyStore.Fault;
import dev.semel.idempotency.internal.ClaimQuestion;
import dev.semel.idempotency.internal.ExecutionContext;
import dev.semel.idempotency.internal.KeyClaimer;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.idempotency.spi.ExecutionEnd;
import dev.semel.idempotency.spi.RecordState;
import dev.semel.idempotency.spi.StoredRecord;
import dev.semel.junit.Patience;
import dev.semel.loop.Platform;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What becomes of an execution whose requests to the store, or their answers, are lost. */
class LostCallsTest {
  private static final Key KEY = Key.of("payment", "order-123");

  private final MemoryStore memory = new MemoryStore(InstantSource.system());
  private final FaultyStore store = new FaultyStore(memory);
  private final List<Event> events = new CopyOnWriteArrayList<>();
  private final Idempotency idempotency = new Idempotency(store, events::add);
  private final AtomicInteger charged = new AtomicInteger();

  @AfterEach
  void close() {
    idempotency.close();
  }

  private static ExecutionRequest<String> request() {
    return ExecutionRequest.of(KEY, Codec.utf8());
  }

  private String charge(Execution execution) {
    return "receipt " + charged.incrementAndGet();
  }

  @Test
  void aClaimWhoseAnswerWasLostIsRecognisedAsItsOwn() {
    store.onClaim.add(Fault.ANSWER_LOST);

    Outcome<String> outcome = idempotency.execute(request(), this::charge);

    assertThat(outcome).isEqualTo(new Outcome.Executed<>("receipt 1", 1, true));
  }

  @Test
  void aStoreThatStaysAwayMeansThatTheWorkDoesNotRun() {
    for (int i = 0; i < KeyClaimer.TRIES; i++) {
      store.onClaim.add(Fault.REQUEST_LOST);
    }
    assertThatThrownBy(() -> idempotency.execute(request(), this::charge))
        .isInstanceOf(StoreException.class);
    assertThat(charged).hasValue(0);
  }

  @Test
  void aCompletionWhoseAnswerWasLostIsRepeatedAndRecorded() {
    store.onComplete.addAll(List.of(Fault.ANSWER_LOST, Fault.REQUEST_LOST));

    Outcome<String> outcome = idempotency.execute(request(), this::charge);

    assertThat(outcome).isEqualTo(new Outcome.Executed<>("receipt 1", 1, true));
    assertThat(store.completions).hasValue(3);
    assertThat(idempotency.execute(request(), this::charge).value()).contains("receipt 1");
  }

  @Test
  void aCompletionThatCannotBeWrittenIsReportedWhenTheLeaseEnds() {
    store.completionsLost = true;
    ExecutionPolicy brief =
        ExecutionPolicy.defaults()
            .withLease(Duration.ofMillis(60))
            .withMaxHold(Duration.ofMillis(60));

    Outcome<String> outcome = idempotency.execute(request().withPolicy(brief), this::charge);

    assertThat(outcome).isEqualTo(new Outcome.Executed<>("receipt 1", 1, false));
    assertThat(events).anyMatch(Event.Unrecorded.class::isInstance);
    assertThat(store.completions).hasPositiveValue();
    await().until(() -> !memory.find(KEY).orElseThrow().leaseLeft().isPositive());
    assertThat(idempotency.execute(request().withPolicy(brief), this::charge))
        .isInstanceOf(Outcome.InDoubt.class);
  }

  @Test
  void aClaimThatWasGrantedUnheardAndGivenUpIsReleasedOnceTheStoreIsBack() {
    store.onClaim.addAll(List.of(Fault.ANSWER_LOST, Fault.REQUEST_LOST, Fault.REQUEST_LOST));
    assertThatThrownBy(() -> idempotency.execute(request(), this::charge))
        .isInstanceOf(StoreException.class);
    await().until(() -> memory.find(KEY).orElseThrow().state() == RecordState.RELEASED);
    assertThat(idempotency.execute(request(), this::charge).value()).contains("receipt 1");
  }

  /** The store answers a late claim's own token as if it were the first to ask. */
  @Test
  void aClaimThatCameToPassUnheardWhileItsCallerWaitedIsHeldFromARenewalOn() {
    Token other = Token.draw();
    memory.claim(ClaimQuestion.of(request(), other).claim());
    FaultyStore late =
        new FaultyStore(memory) {
          @Override
          public ClaimResult claim(ClaimRequest request) {
            if (claims.get() == 1 && memory.release(KEY, other)) {
              memory.claim(request);
            }
            return super.claim(request);
          }
        };
    AtomicInteger renewed = new AtomicInteger();
    try (Idempotency waiting = new Idempotency(late, SemelListener.NONE)) {
      ExecutionPolicy patient = ExecutionPolicy.defaults().withWaitUpTo(Patience.LIMIT);
      Outcome<String> outcome =
          waiting.execute(
              request().withPolicy(patient),
              execution -> {
                renewed.set(late.renewals.get());
                return charge(execution);
              });
      assertThat(outcome.value()).contains("receipt 1");
    }
    assertThat(renewed).hasValue(1);
  }

  @Test
  void oneThatIsTakenBackWhileItIsReleasedDoesNotCostAnotherItsRelease() {
    Token first = Token.draw();
    Token second = Token.draw();
    try (Maintenance maintenance = Maintenance.start(memory, SemelListener.NONE)) {
      KeyClaimer[] itself = new KeyClaimer[1];
      FaultyStore meanwhile =
          new FaultyStore(memory) {
            @Override
            public boolean release(Key key, Token token) {
              boolean released = super.release(key, token);
              itself[0].takeBack(token);
              return released;
            }
          };
      KeyClaimer claims =
          new KeyClaimer(new ExecutionContext(meanwhile, maintenance.reporter(), Platform.REAL));
      itself[0] = claims;
      for (Token token : List.of(first, second)) {
        meanwhile.onClaim.addAll(
            List.of(Fault.ANSWER_LOST, Fault.REQUEST_LOST, Fault.REQUEST_LOST));
        ExecutionRequest<String> request =
            ExecutionRequest.of(Key.of("payment", token.text()), Codec.utf8());
        assertThatThrownBy(() -> claims.claim(ClaimQuestion.of(request, token)))
            .isInstanceOf(StoreException.class);
      }

      claims.releaseGivenUp();

      assertThat(memory.find(Key.of("payment", second.text())).orElseThrow().state())
          .isEqualTo(RecordState.RELEASED);
    }
  }

  @Test
  void whatGoesWrongWhenTheWorkIsDoneNeverGivesTheKeyBack() {
    FaultyStore broken =
        new FaultyStore(memory) {
          @Override
          public boolean complete(Key key, Token token, ExecutionEnd ending, Duration retention) {
            throw new IllegalStateException("a bug of the store's");
          }
        };
    try (Idempotency unlucky = new Idempotency(broken, SemelListener.NONE)) {
      assertThatThrownBy(() -> unlucky.execute(request(), this::charge))
          .isInstanceOf(IllegalStateException.class);
    }
    assertThat(memory.find(KEY).map(StoredRecord::state)).contains(RecordState.IN_FLIGHT);
    assertThat(idempotency.execute(request(), this::charge)).isInstanceOf(Outcome.InFlight.class);
    assertThat(charged).hasValue(1);
  }

  @Test
  void aCompletionIsNotTriedForAsLongAsTheLeaseCanBeRenewed() {
    store.completionsLost = true;
    ExecutionPolicy renewed = ExecutionPolicy.defaults().withLease(Duration.ofMillis(300));
    assertTimeoutPreemptively(
        Patience.LIMIT,
        () ->
            assertThat(idempotency.execute(request().withPolicy(renewed), this::charge))
                .isEqualTo(new Outcome.Executed<>("receipt 1", 1, false)));
  }

  /** The renewal is on its way while the end is recorded, and comes too late. */
  @Test
  void aRenewalThatMeetsTheEndOfItsOwnExecutionIsNotFenced() {
    CountDownLatch renewing = new CountDownLatch(1);
    CountDownLatch completed = new CountDownLatch(1);
    AtomicReference<Thread> renewer = new AtomicReference<>();
    FaultyStore late =
        new FaultyStore(memory) {
          @Override
          public boolean renew(Key key, Token token, Duration lease) {
            renewer.set(Thread.currentThread());
            renewing.countDown();
            awaitQuietly(completed);
            return super.renew(key, token, lease);
          }

          @Override
          public boolean complete(Key key, Token token, ExecutionEnd ending, Duration retention) {
            boolean done = super.complete(key, token, ending, retention);
            completed.countDown();
            await().until(() -> !renewer.get().isAlive());
            return done;
          }
        };
    StandingMachine platform = new StandingMachine();
    try (Idempotency once = new Idempotency(late, events::add, platform)) {
      Outcome<String> outcome =
          once.execute(
              request(),
              execution -> {
                platform.pass(StandingMachine.untilRenewal(ExecutionPolicy.defaults().lease()));
                awaitQuietly(renewing);
                return charge(execution);
              });
      assertThat(outcome).isEqualTo(new Outcome.Executed<>("receipt 1", 1, true));
    }
    assertThat(events).doesNotHaveAnyElementsOfTypes(Event.Fenced.class);
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void aKeyThatWasGrantedBesideAnotherWhichCannotBeAskedForIsGivenBack() {
    ExecutionRequest<String> both =
        request().withAlso(ExecutionRequest.of(Key.of("payment", "old"), Codec.utf8()));
    AtomicBoolean unreachable = new AtomicBoolean();
    FaultyStore failing =
        new FaultyStore(memory) {
          @Override
          public ClaimResult claim(ClaimRequest request) {
            if (!request.key().equals(KEY)) {
              unreachable.set(true);
              throw new StoreException("away");
            }
            return super.claim(request);
          }

          @Override
          public boolean release(Key key, Token token) {
            if (unreachable.getAndSet(false)) {
              throw new StoreException("away");
            }
            return super.release(key, token);
          }
        };
    try (Idempotency once = new Idempotency(failing, SemelListener.NONE)) {
      assertThatThrownBy(() -> once.execute(both, this::charge)).isInstanceOf(StoreException.class);
      await().until(() -> memory.find(KEY).orElseThrow().state() == RecordState.RELEASED);
    }
    assertThat(charged).hasValue(0);
  }

  @Test
  void aKeyWhoseCollisionCannotBeLookedUpIsGivenBack() {
    ExecutionRequest<String> short16 =
        request().withOnCollision(Key.of("payment", "order-123#full"));
    FaultyStore failing =
        new FaultyStore(memory) {
          @Override
          public Optional<StoredRecord> find(Key key) {
            throw new StoreException("away");
          }
        };
    try (Idempotency once = new Idempotency(failing, SemelListener.NONE)) {
      assertThatThrownBy(() -> once.execute(short16, this::charge))
          .isInstanceOf(StoreException.class);
      await().until(() -> memory.find(KEY).orElseThrow().state() == RecordState.RELEASED);
    }
    assertThat(charged).hasValue(0);
  }
}

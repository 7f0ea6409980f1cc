package dev.semel.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Key;
import dev.semel.event.Event;
import dev.semel.idempotency.internal.NeverFinal;
import dev.semel.junit.Patience;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Work that can't tell whether it took effect. */
class EffectUnknownTest {
  private static final Key KEY = Key.of("payment", "order-123");
  private static final Key OTHER_KEY = Key.of("payment", "order-123-v2");
  private static final Duration MOMENT = Duration.ofMillis(1);

  private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
  private final MemoryStore memory = new MemoryStore((InstantSource) now::get);
  private final FaultyStore store = new FaultyStore(memory);
  private final List<Event> events = new CopyOnWriteArrayList<>();
  private final Idempotency idempotency = new Idempotency(store, events::add);
  private final EffectUnknown unknown = new EffectUnknown("no answer", new IOException("reset"));

  @AfterEach
  void close() {
    idempotency.close();
  }

  private static ExecutionRequest<String> request(ExecutionPolicy policy) {
    return ExecutionRequest.of(KEY, Codec.utf8()).withPolicy(policy);
  }

  private Outcome<String> charge(ExecutionRequest<String> request) {
    return idempotency.execute(request, execution -> "receipt " + execution.attempt());
  }

  private void loseTheAnswer(ExecutionRequest<String> request) {
    assertThatThrownBy(
            () ->
                idempotency.execute(
                    request,
                    execution -> {
                      throw unknown;
                    }))
        .isSameAs(unknown);
    now.updateAndGet(t -> t.plus(MOMENT));
  }

  @Test
  void theNextCallerIsInDoubtAtOnceAndNotOnlyWhenTheLeaseEnds() {
    ExecutionRequest<String> request = request(ExecutionPolicy.defaults());
    loseTheAnswer(request);
    assertThat(charge(request)).isInstanceOf(Outcome.InDoubt.class);
    assertThat(charge(request)).isInstanceOf(Outcome.InDoubt.class);
    assertThat(events).hasAtLeastOneElementOfType(Event.Unrecorded.class);
    assertThat(events).doesNotHaveAnyElementsOfTypes(Event.Released.class);
  }

  @Test
  void whereTheNextRunsAgainItKnowsThatItTookOver() {
    ExecutionRequest<String> request =
        request(ExecutionPolicy.defaults().withTakeover(TakeoverPolicy.RUN_AGAIN));
    loseTheAnswer(request);
    assertThat(charge(request)).isEqualTo(new Outcome.Executed<>("receipt 2", 2, true));
  }

  @Test
  void noPolicyMakesItAFinalFailure() {
    ExecutionRequest<String> request =
        request(ExecutionPolicy.defaults().withOnFailure(FailurePolicy.STORE));
    loseTheAnswer(request);
    assertThat(charge(request)).isInstanceOf(Outcome.InDoubt.class);
    assertThat(ExecutionPolicy.defaults().withOnFailure(FailurePolicy.STORE).isFinal(unknown))
        .isFalse();
  }

  @Test
  void bothKeysOfAChangingStrategyAreInDoubt() {
    ExecutionRequest<String> other = ExecutionRequest.of(OTHER_KEY, Codec.utf8());
    loseTheAnswer(request(ExecutionPolicy.defaults()).withAlso(other));
    assertThat(charge(request(ExecutionPolicy.defaults()))).isInstanceOf(Outcome.InDoubt.class);
    assertThat(charge(other)).isInstanceOf(Outcome.InDoubt.class);
    assertThat(charge(request(ExecutionPolicy.defaults()).withAlso(other)))
        .isInstanceOf(Outcome.InDoubt.class);
  }

  @Test
  void ifTheStoreCannotBeToldTheLeaseEndsByItself() {
    ExecutionRequest<String> request = request(ExecutionPolicy.defaults());
    store.onRenew.add(FaultyStore.Fault.REQUEST_LOST);
    loseTheAnswer(request);
    assertThat(unknown.getSuppressed()).hasSize(1);
    assertThat(charge(request)).isInstanceOf(Outcome.InFlight.class);
    now.updateAndGet(t -> t.plus(ExecutionPolicy.defaults().lease()));
    assertThat(charge(request)).isInstanceOf(Outcome.InDoubt.class);
  }

  @Test
  void thoseWhoWaitAreToldOfTheDoubt() {
    ExecutionRequest<String> request =
        request(ExecutionPolicy.defaults().withWaitUpTo(Patience.LIMIT));
    loseTheAnswer(request);
    assertThat(charge(request)).isInstanceOf(Outcome.InDoubt.class);
  }

  @Test
  void noOtherStepOfASequenceFollows() {
    Sequence sequence = idempotency.sequence();
    ExecutionRequest<String> step = request(ExecutionPolicy.defaults());
    assertThatThrownBy(
            () ->
                sequence.execute(
                    "user-1",
                    step,
                    execution -> {
                      throw unknown;
                    }))
        .isSameAs(unknown);
    now.updateAndGet(t -> t.plus(MOMENT));
    ExecutionRequest<String> next = ExecutionRequest.of(OTHER_KEY, Codec.utf8());
    Outcome<String> told = sequence.execute("user-1", next, execution -> "next");
    assertThat(told).isInstanceOf(Outcome.InDoubt.class);
    assertThat(((Outcome.InDoubt<String>) told).original().requestId()).isEqualTo(KEY.id());
  }

  /** A turn that was lost is no failure of the step, whatever operators call final. */
  @Test
  void whatIsNeverFinalIsGivenBackWhateverAnOperatorSet() {
    OperationSettings set =
        OperationSettings.parse("{}").with(Map.of(OperationSetting.ON_FAILURE, "store"), now.get());
    assertThat(memory.settings().write(KEY.operation(), 0, set.text())).isTrue();
    idempotency.settings().refresh();
    assertThatThrownBy(
            () ->
                idempotency.execute(
                    request(ExecutionPolicy.defaults()),
                    execution -> {
                      throw new Aside();
                    }))
        .isInstanceOf(Aside.class);
    assertThat(charge(request(ExecutionPolicy.defaults()))).isInstanceOf(Outcome.Executed.class);
  }

  private static final class Aside extends RuntimeException implements NeverFinal {
    private static final long serialVersionUID = 1L;
  }
}

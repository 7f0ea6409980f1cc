package dev.semel.proof.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.MemoryStore;
import dev.semel.idempotency.TakeoverPolicy;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.idempotency.spi.ExecutionEnd;
import dev.semel.idempotency.spi.IdempotencyStore;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * What a store lacks is found; the same steps on a store that lacks nothing are not complained of.
 */
class MutantTest {
  private static final Key KEY = Key.of("op", "1");
  private static final Duration LEASE = Duration.ofMillis(100);
  private static final Duration RETENTION = Duration.ofHours(1);
  private static final Duration TOLERANCE = Duration.ofMillis(1);

  /** One step after another, on a clock of its own. */
  @Nested
  class Scripted {
    private final TickingClock clock = new TickingClock(Duration.ofNanos(1000));
    private final MemoryStore plain = new MemoryStore(clock);
    private final MemoryRecorder a = new MemoryRecorder("a", clock::nanos);
    private final MemoryRecorder b = new MemoryRecorder("b", clock::nanos);
    private final Token ofA = Token.draw();
    private final Token ofB = Token.draw();
    private boolean inBetween;

    private IdempotencyStore by(MemoryRecorder client, UnaryOperator<IdempotencyStore> around) {
      return new RecordedStore(around.apply(plain), client);
    }

    private ClaimRequest claim(Token token, TakeoverPolicy takeover) {
      return new ClaimRequest(KEY, token, Fingerprint.NONE, LEASE, RETENTION, takeover, "");
    }

    private ExecutionEnd ending(String text) {
      return ExecutionEnd.completed(Codec.utf8().payload(text));
    }

    private List<String> found() {
      return HistoryCheckers.check(
              HistoryCheckers.all(TOLERANCE), MemoryRecorder.history(List.of(a, b)))
          .stream()
          .map(Violation::promise)
          .distinct()
          .collect(Collectors.toList());
    }

    private void staleCompletion(UnaryOperator<IdempotencyStore> around) {
      by(a, around).claim(claim(ofA, TakeoverPolicy.RUN_AGAIN));
      clock.advance(LEASE);
      by(b, around).claim(claim(ofB, TakeoverPolicy.RUN_AGAIN));
      by(a, around).complete(KEY, ofA, ending("stale"), RETENTION);
      by(b, around).complete(KEY, ofB, ending("done"), RETENTION);
    }

    @Test
    void staleCompletionIsAccepted() {
      staleCompletion(Mutant.NO_FENCING::around);
      assertThat(found())
          .contains(
              new OneCompletion(TOLERANCE).promise(),
              new NoStaleMutation().promise(),
              Linearizability.exact().promise());
    }

    @Test
    void staleCompletionIsRefused() {
      staleCompletion(store -> store);
      assertThat(found()).isEmpty();
    }

    private void race(UnaryOperator<IdempotencyStore> around) {
      by(a, around).claim(claim(ofA, TakeoverPolicy.IN_DOUBT));
      a.effect(KEY, 1, false, "of a");
      if (!inBetween) {
        comeInBetween();
      }
    }

    private void comeInBetween() {
      inBetween = true;
      by(b, store -> store).claim(claim(ofB, TakeoverPolicy.IN_DOUBT));
    }

    @Test
    void bothAreGranted() {
      race(store -> Mutant.NO_ATOMIC_CLAIM.around(store, this::comeInBetween));
      b.effect(KEY, 1, false, "of b");
      assertThat(found())
          .contains(new EffectsOnce(TOLERANCE).promise(), Linearizability.exact().promise());
    }

    @Test
    void oneIsGranted() {
      race(store -> store);
      assertThat(found()).isEmpty();
    }

    private void renewal(UnaryOperator<IdempotencyStore> around) {
      by(a, around).claim(claim(ofA, TakeoverPolicy.IN_DOUBT));
      clock.advance(LEASE.multipliedBy(7).dividedBy(10));
      by(a, around).renew(KEY, ofA, LEASE);
      clock.advance(LEASE.multipliedBy(7).dividedBy(10));
      by(b, around).claim(claim(ofB, TakeoverPolicy.IN_DOUBT));
    }

    @Test
    void renewalDidNothing() {
      renewal(Mutant.NO_RENEWAL::around);
      assertThat(found()).containsExactly(Linearizability.exact().promise());
    }

    @Test
    void renewalDidItsWork() {
      renewal(store -> store);
      assertThat(found()).isEmpty();
    }

    private void leaseEnd(UnaryOperator<IdempotencyStore> around) {
      by(a, around).claim(claim(ofA, TakeoverPolicy.IN_DOUBT));
      a.effect(KEY, 1, false, "of a");
      clock.advance(LEASE);
      by(b, around).claim(claim(ofB, TakeoverPolicy.IN_DOUBT));
    }

    @Test
    void recordIsGoneWithItsLease() {
      leaseEnd(Mutant.NO_LEASE_FIELD::around);
      b.effect(KEY, 1, false, "of b");
      assertThat(found())
          .contains(new EffectsOnce(TOLERANCE).promise(), Linearizability.exact().promise());
    }

    @Test
    void recordOutlivesItsLease() {
      leaseEnd(store -> store);
      assertThat(found()).isEmpty();
    }
  }

  /** Many threads on the keys of a memory store; {@link RandomRunTest} runs them without mutant. */
  @TestFactory
  Stream<DynamicTest> isFoundUnderThreads() {
    return Stream.of(Mutant.values())
        .map(
            mutant ->
                DynamicTest.dynamicTest(
                    mutant + " is found under threads",
                    () ->
                        assertThat(
                                HistoryCheckers.check(
                                    HistoryCheckers.all(RandomRun.TOLERANCE),
                                    new RandomRun(50, 3, mutant::around).history()))
                            .isNotEmpty()));
  }
}

package dev.semel.proof;

import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.Token;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.spi.ExecutionEnd;
import dev.semel.idempotency.spi.IdempotencyStore;
import dev.semel.proof.history.RecordedAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Uses tokens that should not hold a key any more, or never did. A store that fences refuses them;
 * the history shows a store that does not. It never releases a key whose effect may have happened
 * unrecorded, because that would be the worker's fault, not the store's. Safe for many threads.
 */
final class Adversary {
  private static final int MAX_REMEMBERED = 64;

  private final IdempotencyStore records;
  private final List<Past> pasts = new ArrayList<>();

  Adversary(IdempotencyStore records) {
    this.records = records;
  }

  /**
   * A finished execution.
   *
   * @param value of its effect; empty: none
   * @param takenOver whether it took over from another one, whose effect may have happened
   */
  record Past(Key key, Token token, String value, boolean takenOver, RecordedAnswer.Kind told) {
    /**
     * Whether the key was released already, or recorded: then another release must change nothing.
     * A takeover that failed left its key in doubt.
     */
    boolean mayBeReleased() {
      return told == RecordedAnswer.Kind.EXECUTED || (value.isEmpty() && !takenOver);
    }
  }

  synchronized void remember(Past past) {
    if (pasts.size() == MAX_REMEMBERED) {
      pasts.remove(0);
    }
    pasts.add(past);
  }

  private synchronized Optional<Past> recall(RandomGenerator random) {
    return pasts.isEmpty()
        ? Optional.empty()
        : Optional.of(pasts.get(random.nextInt(pasts.size())));
  }

  /**
   * Makes one such step.
   *
   * @param key for a token that nobody drew
   */
  void step(Key key, RandomGenerator random) {
    Past past =
        (random.nextBoolean() ? recall(random) : Optional.<Past>empty())
            .orElseGet(
                () -> new Past(key, Token.draw(), "forged", false, RecordedAnswer.Kind.EXECUTED));
    try {
      switch (random.nextInt(3)) {
        case 0 -> records.renew(past.key(), past.token(), ProofPlan.LEASE);
        case 1 -> {
          if (!past.value().isEmpty()) {
            records.complete(past.key(), past.token(), ending(past), RecordingExecutor.RETENTION);
          }
        }
        default -> {
          if (past.mayBeReleased()) {
            records.release(past.key(), past.token());
          }
        }
      }
    } catch (StoreException e) {
      return; // the recorder has the call; nobody else needs the exception
    }
  }

  private static ExecutionEnd ending(Past past) {
    return ExecutionEnd.completed(Codec.utf8().payload(past.value()));
  }
}

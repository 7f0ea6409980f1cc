package dev.semel.idempotency;

import dev.semel.FirstExecution;
import java.time.Duration;
import java.util.Optional;

/**
 * The result of executing a request: the work ran, a duplicate got a replay, or the reason why not.
 */
public sealed interface Outcome<T> {
  /**
   * This caller's work ran.
   *
   * @param recorded false: the effect happened, but its record could not be written (the store was
   *     away, or another caller took over): others see the key as in doubt or taken over
   */
  record Executed<T>(T result, int attempt, boolean recorded) implements Outcome<T> {}

  /** The work was done before; this is its response. */
  record Replayed<T>(T result, FirstExecution original) implements Outcome<T> {}

  /** Another caller is working on this key, and the policy's wait is over. Ask again later. */
  record InFlight<T>(Duration left, FirstExecution original) implements Outcome<T> {}

  /** The key was used for another request. Asking again will not help. */
  record Mismatch<T>(Fingerprint stored, FirstExecution original) implements Outcome<T> {}

  /**
   * The work failed for good, now or before. Asking again gives the same.
   *
   * @param cause the exception of this caller's work; empty for duplicates
   */
  record Failed<T>(StoredFailure failure, Optional<Exception> cause) implements Outcome<T> {}

  /**
   * An earlier attempt ended without a result; an operator has to find out whether it took effect.
   */
  record InDoubt<T>(FirstExecution original) implements Outcome<T> {}

  /**
   * The result, where there is one: executed or replayed, and not null as with {@link
   * Codec#nothing}.
   */
  default Optional<T> value() {
    return switch (this) {
      case Executed<T> e -> Optional.ofNullable(e.result());
      case Replayed<T> r -> Optional.ofNullable(r.result());
      case InFlight<T> f -> Optional.empty();
      case Mismatch<T> m -> Optional.empty();
      case Failed<T> f -> Optional.empty();
      case InDoubt<T> d -> Optional.empty();
    };
  }
}

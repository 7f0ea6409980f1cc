package dev.semel.idempotency;

import dev.semel.FirstExecution;
import java.time.Duration;
import java.util.Optional;

/** What became of a request. */
public sealed interface Outcome<T> {
  /**
   * This caller's work ran.
   *
   * @param recorded false: the effect happened, but its record could not be written (the store was
   *     away, or another took over): to everyone else the key is in doubt or taken over
   */
  record Executed<T>(T result, int attempt, boolean recorded) implements Outcome<T> {}

  /** It had been done before; this is that response. */
  record Replayed<T>(T result, FirstExecution original) implements Outcome<T> {}

  /** Someone else is at it, and the policy's wait is over. Ask again later. */
  record InFlight<T>(Duration left, FirstExecution original) implements Outcome<T> {}

  /** The key was used for another request. Asking again will not help. */
  record Mismatch<T>(Fingerprint stored, FirstExecution original) implements Outcome<T> {}

  /**
   * It failed for good, now or before. Asking again gives the same.
   *
   * @param cause what this caller's own work threw; empty for those who come later
   */
  record Failed<T>(StoredFailure failure, Optional<Exception> cause) implements Outcome<T> {}

  /** An earlier attempt ended without a word; someone has to find out whether it took effect. */
  record InDoubt<T>(FirstExecution original) implements Outcome<T> {}

  /**
   * The result, where there is one: executed or replayed, and not null as that of {@link
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

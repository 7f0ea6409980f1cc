package dev.semel.jdbc.internal.transaction;

import dev.semel.idempotency.internal.NeverFinal;

/**
 * Thrown when work tries to end its transaction: a bug in the work, so it is never stored as a
 * result.
 */
final class EndRefused extends IllegalStateException implements NeverFinal {
  private static final long serialVersionUID = 1L;

  EndRefused(String what) {
    super(
        "the work may not end its transaction: %s was refused, and nothing was committed; what it writes commits with its record when it returns, throw to roll back, or set a savepoint to go back to"
            .formatted(what));
  }
}

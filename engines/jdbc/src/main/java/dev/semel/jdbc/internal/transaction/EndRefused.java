package dev.semel.jdbc.internal.transaction;

import dev.semel.idempotency.internal.NeverFinal;

/** Work asked to end the transaction it was given; a mistake in it, and no result to be kept. */
final class EndRefused extends IllegalStateException implements NeverFinal {
  private static final long serialVersionUID = 1L;

  EndRefused(String what) {
    super(
        "the work may not end its transaction: %s was refused, and nothing was committed; what it writes commits with its record when it returns, throw to roll back, or set a savepoint to go back to"
            .formatted(what));
  }
}

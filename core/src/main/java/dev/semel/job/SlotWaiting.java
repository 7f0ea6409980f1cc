package dev.semel.job;

import dev.semel.idempotency.internal.NeverFinal;

/**
 * Ends an attempt at a slot that has not begun: its key is released. The record stays and shows
 * later processes that the slot waits and was not missed.
 */
final class SlotWaiting extends RuntimeException implements NeverFinal {
  private static final long serialVersionUID = 1L;

  SlotWaiting() {
    super("the slot waits for its turn", null, false, false);
  }
}

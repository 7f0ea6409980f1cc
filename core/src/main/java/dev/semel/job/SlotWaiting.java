package dev.semel.job;

import dev.semel.idempotency.internal.NeverFinal;

/**
 * A slot that has not begun: its key is given back. That leaves a record which says that someone
 * was there when it was due, so that whoever comes later knows it as waiting and not as missed.
 */
final class SlotWaiting extends RuntimeException implements NeverFinal {
  private static final long serialVersionUID = 1L;

  SlotWaiting() {
    super("the slot waits for its turn", null, false, false);
  }
}

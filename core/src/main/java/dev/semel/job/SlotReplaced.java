package dev.semel.job;

import dev.semel.idempotency.internal.AlwaysFinal;

/** A slot that ran until a later one took its turn; its name and message are its record. */
final class SlotReplaced extends RuntimeException implements AlwaysFinal {
  private static final long serialVersionUID = 1L;

  SlotReplaced(String why) {
    super(why, null, false, false);
  }
}

package dev.semel.admin;

import dev.semel.InvalidInput;
import dev.semel.idempotency.spi.KeyEntry;
import dev.semel.internal.PrintableText;
import java.util.Locale;

/**
 * The state of a record as operators see it: with {@code IN_DOUBT} apart from {@code IN_FLIGHT}.
 */
public enum KeyState {
  IN_FLIGHT,
  /** The lease ended without a result: nobody can know whether the work took effect. */
  IN_DOUBT,
  COMPLETED,
  FAILED,
  RELEASED;

  public static KeyState of(KeyEntry entry) {
    if (entry.leaseEnded()) {
      return IN_DOUBT;
    }
    return switch (entry.existing().state()) {
      case IN_FLIGHT -> IN_FLIGHT;
      case COMPLETED -> COMPLETED;
      case FAILED -> FAILED;
      case RELEASED -> RELEASED;
    };
  }

  /** The state as one word for programs. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static KeyState parse(String text) {
    for (KeyState state : values()) {
      if (state.word().equals(text.replace('-', '_'))) {
        return state;
      }
    }
    throw new InvalidInput(
        "there is no state %s: use in_flight, in_doubt, completed, failed or released"
            .formatted(PrintableText.quoted(text)));
  }
}

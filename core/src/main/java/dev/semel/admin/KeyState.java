package dev.semel.admin;

import dev.semel.InvalidInput;
import dev.semel.idempotency.spi.KeyEntry;
import dev.semel.internal.PrintableText;
import java.util.Locale;

/** Where a record stands, as people ask for it. */
public enum KeyState {
  IN_FLIGHT,
  /** Its holder let its lease end without a word: nobody knows whether it took effect. */
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

  /** One word for programs. */
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

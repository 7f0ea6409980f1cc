package dev.semel.server;

import dev.semel.InvalidInput;
import dev.semel.internal.PrintableText;
import java.util.Locale;

/** A right of a token on streams, used in the lines of a token file. Admin includes the others. */
public enum AccessRight {
  /** Read streams, their heads and their producers. */
  READ,
  /** Create streams, append and close. */
  APPEND,
  /** Everything: delete streams, fence producers, manage subscriptions. */
  ADMIN;

  static AccessRight parse(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "read" -> READ;
      case "append" -> APPEND;
      case "admin" -> ADMIN;
      default ->
          throw new InvalidInput(
              "%s is no right: use read, append or admin".formatted(PrintableText.quoted(text)));
    };
  }
}

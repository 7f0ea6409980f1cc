package dev.semel;

import dev.semel.internal.Ids;
import dev.semel.internal.PrintableText;
import java.util.UUID;

/**
 * Proves who holds a claim. Drawn by the claimant, before it asks, so that a claim whose answer was
 * lost can be asked again and is recognised as its own.
 */
public record Token(UUID value) {
  public static Token draw() {
    return new Token(Ids.uuid7());
  }

  /** Reads the text form again. */
  public static Token parse(String text) {
    try {
      return new Token(UUID.fromString(text));
    } catch (IllegalArgumentException e) {
      throw new InvalidInput(
          "%s is not a token: a token looks like 01890a5d-ac96-774b-bcce-b302099a8057"
              .formatted(PrintableText.quoted(text)));
    }
  }

  /**
   * When it was drawn, in milliseconds since the epoch on the claimant's clock; for display only.
   */
  public long drawnAtMillis() {
    return Ids.epochMillis(value);
  }

  /** A token is a capability: it is written out only where someone asks for it by name. */
  public String text() {
    return value.toString();
  }

  @Override
  public String toString() {
    return text().substring(0, 8) + "…";
  }
}

package dev.semel;

import dev.semel.internal.Ids;
import dev.semel.internal.PrintableText;
import java.util.UUID;

/**
 * Identifies one claim, and proves that its owner holds it. The claimant draws it before it claims,
 * so that it can repeat a claim whose answer was lost and the store recognises it.
 */
public record Token(UUID value) {
  public static Token draw() {
    return new Token(Ids.uuid7());
  }

  /** Parses the form that {@link #text} returns. */
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
   * When the token was drawn, in milliseconds since the epoch on the claimant's clock; for display
   * only.
   */
  public long drawnAtMillis() {
    return Ids.epochMillis(value);
  }

  /** The full text. A token is a capability, so {@link #toString} shows only its beginning. */
  public String text() {
    return value.toString();
  }

  @Override
  public String toString() {
    return text().substring(0, 8) + "…";
  }
}

package dev.semel.http;

import dev.semel.InvalidInput;
import dev.semel.internal.PrintableText;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Maps outcomes to HTTP status codes: the one table of them. */
public enum HttpProfile {
  /** As the IETF's draft of the {@code Idempotency-Key} header says. */
  IETF,
  /** As clients of Stripe's API expect it. */
  STRIPE,
  /** As an earlier architecture decision had it: in flight is accepted with 202, not refused. */
  ADR;

  public int status(HttpRefusal refusal) {
    return switch (refusal) {
      case KEY_MISSING, KEY_INVALID, BODY_UNREADABLE -> 400;
      case REQUEST_TOO_LARGE -> 413;
      case IN_FLIGHT -> by(409, 409, 202);
      case MISMATCH -> by(422, 400, 409);
      case IN_DOUBT, NOT_REPLAYABLE -> 409;
      case FAILED -> by(500, 500, 422);
      case STORE_AWAY -> 503;
    };
  }

  private int by(int ietf, int stripe, int adr) {
    return switch (this) {
      case IETF -> ietf;
      case STRIPE -> stripe;
      case ADR -> adr;
    };
  }

  /** The headers that mark an answer as a replay. */
  public List<HttpHeader> replayed() {
    HttpHeader ours = new HttpHeader(HttpHeader.REPLAYED, "true");
    return this == STRIPE
        ? List.of(ours, new HttpHeader(HttpHeader.STRIPE_REPLAYED, "true"))
        : List.of(ours);
  }

  public static HttpProfile parse(String text) {
    return Arrays.stream(values())
        .filter(profile -> PrintableText.word(profile).equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                new InvalidInput(
                    "%s is no profile: choose one of %s"
                        .formatted(
                            PrintableText.quoted(text),
                            Arrays.stream(values())
                                .map(PrintableText::word)
                                .collect(Collectors.joining(", ")))));
  }
}

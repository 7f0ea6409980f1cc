package dev.semel.tck.history;

import dev.semel.Ids;
import dev.semel.PrintableText;
import dev.semel.idempotency.ClaimResult;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.ExecutionEnd;
import dev.semel.idempotency.Payload;
import java.nio.charset.StandardCharsets;

/** Payloads as a history names them: their text where people can read it, else a hash. */
final class Values {
  /** Longest text that stands for itself, in characters. */
  private static final int MAX_TEXT = 80;

  private static final String HASHED = "sha256:";

  private Values() {}

  static String of(Payload payload) {
    if (payload.equals(Payload.EMPTY)) {
      return "";
    }
    String text = new String(payload.bytes(), StandardCharsets.UTF_8);
    return payload.type().equals(Codec.utf8().type()) && standsForItself(text)
        ? text
        : HASHED
            + Ids.sha256Hex(
                (payload.type() + "\n").getBytes(StandardCharsets.UTF_8), payload.bytes());
  }

  /** Broken UTF-8 is read as replacement characters, which would make different bytes equal. */
  private static boolean standsForItself(String text) {
    return !text.isEmpty()
        && text.length() <= MAX_TEXT
        && PrintableText.isSafe(text)
        && text.indexOf('\uFFFD') < 0
        && !text.startsWith(HASHED);
  }

  static Answer of(ClaimResult claim) {
    return switch (claim) {
      case ClaimResult.Granted g ->
          new Answer(g.takenOver() ? Answer.Kind.TAKEN_OVER : Answer.Kind.GRANTED, g.attempt(), "");
      case ClaimResult.Replay r ->
          new Answer(Answer.Kind.REPLAY, r.original().attempt(), of(r.response()));
      case ClaimResult.Failed f ->
          new Answer(
              Answer.Kind.FAILED,
              f.original().attempt(),
              of(ExecutionEnd.failed(f.failure()).payload()));
      case ClaimResult.InFlight f -> new Answer(Answer.Kind.IN_FLIGHT, f.original().attempt(), "");
      case ClaimResult.Mismatch m -> new Answer(Answer.Kind.MISMATCH, m.original().attempt(), "");
      case ClaimResult.InDoubt d -> new Answer(Answer.Kind.IN_DOUBT, d.original().attempt(), "");
    };
  }

  static Answer of(boolean held) {
    return Answer.of(held ? Answer.Kind.YES : Answer.Kind.NO);
  }
}

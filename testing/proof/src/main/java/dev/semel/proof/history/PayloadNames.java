package dev.semel.proof.history;

import dev.semel.idempotency.ClaimResult;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.Payload;
import dev.semel.idempotency.spi.ExecutionEnd;
import dev.semel.internal.Ids;
import dev.semel.internal.PrintableText;
import java.nio.charset.StandardCharsets;

/** Names payloads in a history: by their text if it is readable, else by a hash. */
final class PayloadNames {
  /** The longest text used as a name, in characters. */
  private static final int MAX_TEXT = 80;

  private static final String HASHED = "sha256:";

  private PayloadNames() {}

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

  /** False for broken UTF-8: its replacement characters would make different bytes equal. */
  private static boolean standsForItself(String text) {
    return !text.isEmpty()
        && text.length() <= MAX_TEXT
        && PrintableText.isSafe(text)
        && text.indexOf('\uFFFD') < 0
        && !text.startsWith(HASHED);
  }

  static RecordedAnswer of(ClaimResult claim) {
    return switch (claim) {
      case ClaimResult.Granted g ->
          new RecordedAnswer(
              g.takenOver() ? RecordedAnswer.Kind.TAKEN_OVER : RecordedAnswer.Kind.GRANTED,
              g.attempt(),
              "");
      case ClaimResult.Replay r ->
          new RecordedAnswer(RecordedAnswer.Kind.REPLAY, r.original().attempt(), of(r.response()));
      case ClaimResult.Failed f ->
          new RecordedAnswer(
              RecordedAnswer.Kind.FAILED,
              f.original().attempt(),
              of(ExecutionEnd.failed(f.failure()).payload()));
      case ClaimResult.InFlight f ->
          new RecordedAnswer(RecordedAnswer.Kind.IN_FLIGHT, f.original().attempt(), "");
      case ClaimResult.Mismatch m ->
          new RecordedAnswer(RecordedAnswer.Kind.MISMATCH, m.original().attempt(), "");
      case ClaimResult.InDoubt d ->
          new RecordedAnswer(RecordedAnswer.Kind.IN_DOUBT, d.original().attempt(), "");
    };
  }

  static RecordedAnswer of(boolean held) {
    return RecordedAnswer.of(held ? RecordedAnswer.Kind.YES : RecordedAnswer.Kind.NO);
  }
}

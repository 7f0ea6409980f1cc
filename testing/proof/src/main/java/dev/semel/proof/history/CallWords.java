package dev.semel.proof.history;

import java.util.Locale;

/** Describes calls and answers for the sentence of a violation. */
final class CallWords {
  private CallWords() {}

  /** Such as {@code worker-2's claim}. */
  static String asked(RecordedCall call) {
    String what =
        switch (call.action()) {
          case RecordedAction.Claim c -> "claim";
          case RecordedAction.Renew r -> "renewal";
          case RecordedAction.Complete c -> "completion with " + c.value();
          case RecordedAction.Release r -> "release";
          case RecordedAction.Execute e -> "execution";
        };
    return call.client() + "'s " + what;
  }

  /** Such as {@code granted (attempt 2)}. */
  static String answer(RecordedCall call) {
    RecordedAnswer answer = call.answer();
    String kind = answer.kind().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    return kind
        + (answer.value().isEmpty() ? "" : " " + answer.value())
        + (answer.attempt() == 0 ? "" : " (attempt " + answer.attempt() + ")");
  }
}

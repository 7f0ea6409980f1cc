package dev.semel.tck.history;

import java.util.Locale;

/** Calls and answers in words, for the sentence of a violation. */
final class Told {
  private Told() {}

  /** Such as {@code worker-2's claim}. */
  static String asked(Call call) {
    String what =
        switch (call.action()) {
          case Action.Claim c -> "claim";
          case Action.Renew r -> "renewal";
          case Action.Complete c -> "completion with " + c.value();
          case Action.Release r -> "release";
          case Action.Execute e -> "execution";
        };
    return call.client() + "'s " + what;
  }

  /** Such as {@code granted (attempt 2)}. */
  static String answer(Call call) {
    Answer answer = call.answer();
    String kind = answer.kind().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    return kind
        + (answer.value().isEmpty() ? "" : " " + answer.value())
        + (answer.attempt() == 0 ? "" : " (attempt " + answer.attempt() + ")");
  }
}

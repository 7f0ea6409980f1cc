package dev.semel.proof.report;

import dev.semel.Token;
import dev.semel.proof.history.RecordedAction;
import dev.semel.proof.history.RecordedAnswer;
import dev.semel.proof.history.RecordedCall;
import java.util.Locale;

/** Describes a call briefly, for a table. */
public final class CallPhrases {
  private static final int TOKEN_END = 4;

  private CallPhrases() {}

  public static String asked(RecordedCall call) {
    return switch (call.action()) {
      case RecordedAction.Claim c -> "claim as " + end(c.token());
      case RecordedAction.Renew r -> "renew as " + end(r.token());
      case RecordedAction.Complete c ->
          "complete as %s with %s".formatted(end(c.token()), c.value());
      case RecordedAction.Release r -> "release as " + end(r.token());
      case RecordedAction.Execute e -> "execute, " + word(e.takeover()) + " after a lost holder";
    };
  }

  public static String answered(RecordedCall call) {
    RecordedAnswer answer = call.answer();
    return word(answer.kind())
        + (answer.attempt() > 0 ? ", attempt " + answer.attempt() : "")
        + (answer.value().isEmpty() ? "" : ": " + answer.value());
  }

  private static String word(Enum<?> name) {
    return name.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  /** The end of a token; its beginning is the time, which tokens drawn together share. */
  private static String end(Token token) {
    return "…" + token.text().substring(token.text().length() - TOKEN_END);
  }
}

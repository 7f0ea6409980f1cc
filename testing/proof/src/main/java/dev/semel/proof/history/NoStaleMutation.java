package dev.semel.proof.history;

import dev.semel.Token;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Checks that a holder that lost its key changes nothing about it any more, however late it tries.
 */
final class NoStaleMutation implements HistoryChecker {
  @Override
  public String promise() {
    return "no change is accepted from who lost the key";
  }

  @Override
  public List<Violation> check(History history) {
    return KeyHistory.of(history).stream().flatMap(this::check).toList();
  }

  private Stream<Violation> check(KeyHistory key) {
    return key.calls().stream()
        .filter(call -> KeyHistory.answered(call, RecordedAnswer.Kind.YES))
        .flatMap(
            accepted ->
                loss(key, accepted)
                    .map(
                        to ->
                            key.violation(
                                promise(),
                                "%s was accepted after %s had been answered %s"
                                    .formatted(
                                        CallWords.asked(accepted),
                                        CallWords.asked(to),
                                        CallWords.answer(to)),
                                List.of(to, accepted)))
                    .stream());
  }

  /**
   * The other holder's grant before this call, unless this token may have been granted again since.
   */
  private static Optional<RecordedCall> loss(KeyHistory key, RecordedCall accepted) {
    Token token = KeyHistory.token(accepted).orElseThrow();
    return key.grants()
        .filter(grant -> !KeyHistory.token(grant).orElseThrow().equals(token))
        .filter(grant -> grant.endedNanos() < accepted.beganNanos())
        .filter(grant -> !mayHoldSince(key, token, grant))
        .findFirst();
  }

  private static boolean mayHoldSince(KeyHistory key, Token token, RecordedCall grant) {
    return key.calls().stream()
        .filter(call -> call.action() instanceof RecordedAction.Claim c && c.token().equals(token))
        .filter(
            call ->
                KeyHistory.answered(
                    call,
                    RecordedAnswer.Kind.GRANTED,
                    RecordedAnswer.Kind.TAKEN_OVER,
                    RecordedAnswer.Kind.UNKNOWN))
        .anyMatch(call -> call.endedNanos() >= grant.beganNanos());
  }
}

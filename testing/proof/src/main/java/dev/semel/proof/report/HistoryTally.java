package dev.semel.proof.report;

import dev.semel.proof.RunFigure;
import dev.semel.proof.history.History;
import dev.semel.proof.history.RecordedAction;
import dev.semel.proof.history.RecordedAnswer;
import dev.semel.proof.history.RecordedAnswer.Kind;
import dev.semel.proof.history.RecordedCall;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The figures of a history.
 *
 * @param executions how often a key was asked for
 * @param executed of these, how often the work ran and the caller knew it
 * @param inDoubt how often the answer was "in doubt"
 * @param refused how often the caller got an error: in flight elsewhere, failed work, or an
 *     unreachable store
 * @param unanswered how often the caller died first
 * @param takeovers claims after a holder's lease ended without a result
 * @param calls of the store
 * @param lostCalls of these, how many had no answer
 */
public record HistoryTally(
    long keys,
    long executions,
    long executed,
    long replayed,
    long inDoubt,
    long refused,
    long unanswered,
    long effects,
    long takeovers,
    long calls,
    long lostCalls) {
  public static HistoryTally of(History history) {
    List<RecordedCall> asked = history.calls().stream().filter(HistoryTally::isExecution).toList();
    List<RecordedCall> calls = history.calls().stream().filter(call -> !isExecution(call)).toList();
    long executed = count(asked, EnumSet.of(Kind.EXECUTED, Kind.UNRECORDED));
    long replayed = count(asked, EnumSet.of(Kind.REPLAY));
    long inDoubt = count(asked, EnumSet.of(Kind.IN_DOUBT));
    long unanswered = count(asked, EnumSet.of(Kind.UNKNOWN));
    return new HistoryTally(
        asked.stream().map(RecordedCall::key).distinct().count(),
        asked.size(),
        executed,
        replayed,
        inDoubt,
        asked.size() - executed - replayed - inDoubt - unanswered,
        unanswered,
        history.effects().size(),
        count(calls, EnumSet.of(Kind.TAKEN_OVER)),
        calls.size(),
        count(calls, EnumSet.of(Kind.UNKNOWN)));
  }

  public List<RunFigure> figures() {
    return List.of(
        new RunFigure("keys", keys, "keys"),
        new RunFigure("executions", executions, "times asked for"),
        new RunFigure("executed", executed, "times run"),
        new RunFigure("replayed", replayed, "answered from the record"),
        new RunFigure("in_doubt", inDoubt, "told that it is in doubt"),
        new RunFigure("refused", refused, "refused, failed or store away"),
        new RunFigure("takeovers", takeovers, "takeovers"),
        new RunFigure("calls", calls, "calls on the store"),
        new RunFigure("lost_calls", lostCalls, "of them without an answer"));
  }

  static boolean isExecution(RecordedCall call) {
    return call.action() instanceof RecordedAction.Execute;
  }

  private static long count(List<RecordedCall> calls, Set<RecordedAnswer.Kind> kinds) {
    return calls.stream().filter(call -> kinds.contains(call.answer().kind())).count();
  }
}

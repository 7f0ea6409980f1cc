package dev.semel.proof.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The memory store under threads breaks no promise, with and without lost answers. */
class RandomRunTest {
  private static final int KEYS = 150;

  @Test
  void nothingIsFoundWhereNothingIsWrong() throws InterruptedException {
    History history = new RandomRun(KEYS, 1, store -> store).history();
    assertThat(found(history)).isEmpty();
    assertThat(kinds(history))
        .contains(
            RecordedAnswer.Kind.GRANTED,
            RecordedAnswer.Kind.TAKEN_OVER,
            RecordedAnswer.Kind.REPLAY,
            RecordedAnswer.Kind.IN_FLIGHT,
            RecordedAnswer.Kind.MISMATCH,
            RecordedAnswer.Kind.IN_DOUBT,
            RecordedAnswer.Kind.YES,
            RecordedAnswer.Kind.NO);
  }

  /** Some sixty calls of eight clients on each key, a tenth of them without an answer. */
  @Test
  void lostAnswersAreBorne() throws InterruptedException {
    History history = new RandomRun(KEYS, 2, store -> new LosingStore(store, 10)).history();
    assertThat(found(history)).isEmpty();
    assertThat(kinds(history)).contains(RecordedAnswer.Kind.UNKNOWN);
  }

  /** Within one process no call is made twice, so none is excused by that. */
  private static List<Violation> found(History history) {
    List<HistoryChecker> checkers = new ArrayList<>(HistoryCheckers.all(RandomRun.TOLERANCE));
    checkers.add(new Linearizability(RandomRun.TOLERANCE, false));
    return HistoryCheckers.check(checkers, history);
  }

  private static Set<RecordedAnswer.Kind> kinds(History history) {
    return history.calls().stream().map(call -> call.answer().kind()).collect(Collectors.toSet());
  }
}

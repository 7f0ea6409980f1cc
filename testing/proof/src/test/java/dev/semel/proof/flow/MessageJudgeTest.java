package dev.semel.proof.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.semel.proof.RunFigure;
import dev.semel.proof.flow.FlowJudgement.Finding;
import dev.semel.proof.flow.MessageJudge.Done;
import dev.semel.proof.flow.MessageJudge.Ledger;
import dev.semel.proof.flow.MessageJudge.Order;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Histories that are right, and each way in which one can be wrong. */
class MessageJudgeTest {
  private static final List<ProcessNote> NOTES =
      List.of(
          note(1, MessageJudge.WRITES, "a"),
          note(2, MessageJudge.COMMITTED, "a"),
          note(3, MessageJudge.WRITES, "b"),
          note(4, MessageJudge.COMMITTED, "b"),
          note(5, MessageJudge.WRITES, "undone"),
          note(6, MessageJudge.ROLLED_BACK, "undone"),
          note(7, MessageJudge.WRITES, "perhaps"),
          note(8, MessageJudge.UNSURE, "perhaps"),
          note(9, MessageJudge.WRITES, "died"));

  private static ProcessNote note(long at, String what, String id) {
    return new ProcessNote(at, "producer-1", what, id, "key");
  }

  private static List<Order> rows(String... ids) {
    return List.of(ids).stream().map(id -> new Order(id, "key")).toList();
  }

  private static List<Done> effects(String... ids) {
    return IntStream.range(0, ids.length)
        .mapToObj(i -> new Done(ids[i], "consumer-1", 100 + i))
        .toList();
  }

  private static FlowJudgement judge(List<Order> rows, List<Done> effects) {
    return MessageJudge.judge(NOTES, new Ledger(rows, effects, List.of(), List.of()));
  }

  private static List<String> ids(FlowJudgement judgement, String promise) {
    return judgement.findings().stream()
        .filter(finding -> finding.promise().equals(promise))
        .map(Finding::id)
        .toList();
  }

  @Test
  void whatWasCommittedOnceAndInOrderIsRightHoweverItsWriterEnded() {
    FlowJudgement judgement =
        judge(rows("a", "b", "perhaps", "died"), effects("a", "b", "perhaps", "died"));

    assertThat(judgement.findings()).isEmpty();
    assertThat(judgement.unproved()).isEmpty();
    assertThat(judgement.figures())
        .extracting(RunFigure::name, RunFigure::number)
        .contains(tuple("committed", 4L), tuple("rolled_back", 1L), tuple("died", 1L));
  }

  @Test
  void lostMessageIsNamedWithItsReason() {
    FlowJudgement judgement = judge(rows("a", "b"), effects("a"));

    assertThat(ids(judgement, "every committed message takes effect")).containsExactly("b");
    assertThat(judgement.examples().get(0).findings().get(0).what())
        .isEqualTo("b was committed, left the outbox, and never took effect");
    assertThat(judgement.examples().get(0).notes())
        .extracting(ProcessNote::what)
        .containsExactly(MessageJudge.WRITES, MessageJudge.COMMITTED);
  }

  @Test
  void deadLetterIsALostMessage() {
    FlowJudgement judgement =
        MessageJudge.judge(
            NOTES, new Ledger(rows("a", "b"), effects("a"), List.of(), List.of("b")));

    assertThat(judgement.findings().get(0).what()).contains("given up as a dead letter");
  }

  @Test
  void messageThatStillWaitsIsNotLostButNothingIsProved() {
    FlowJudgement judgement =
        MessageJudge.judge(
            NOTES, new Ledger(rows("a", "b"), effects("a"), List.of("b"), List.of()));

    assertThat(judgement.findings()).isEmpty();
    assertThat(judgement.unproved()).contains("1 messages were still in the outbox at the end");
  }

  @Test
  void whereNothingWasCommittedNothingIsProved() {
    FlowJudgement judgement =
        MessageJudge.judge(List.of(), new Ledger(rows(), effects(), List.of(), List.of()));

    assertThat(judgement.findings()).isEmpty();
    assertThat(judgement.unproved()).contains("No message was committed, so nothing is proved");
  }

  @Test
  void doubledMessageIsNamedWithBothEffects() {
    FlowJudgement judgement = judge(rows("a", "b"), effects("a", "b", "a"));

    assertThat(ids(judgement, "none takes effect twice")).containsExactly("a");
    assertThat(judgement.examples().get(0).notes())
        .filteredOn(note -> note.what().equals("effect"))
        .hasSize(2);
  }

  @Test
  void reorderedMessageIsNamed() {
    assertThat(
            ids(
                judge(rows("a", "b"), effects("b", "a")),
                "those of a key take effect in its order"))
        .containsExactly("a");
  }

  @Test
  void ghostOfARolledBackTransactionIsNamed() {
    FlowJudgement judgement = judge(rows("a", "b"), effects("a", "b", "undone"));

    assertThat(ids(judgement, "none takes effect that was not committed"))
        .containsExactly("undone");
    assertThat(judgement.findings().get(0).what()).contains("told rolled back");
  }

  @Test
  void writerThatWasToldAnUntruthIsHeard() {
    assertThat(ids(judge(rows("b"), effects("b")), "what a writer was told is so"))
        .containsExactly("a");
    assertThat(
            ids(
                judge(rows("a", "b", "undone"), effects("a", "b", "undone")),
                "what a writer was told is so"))
        .containsExactly("undone");
  }
}

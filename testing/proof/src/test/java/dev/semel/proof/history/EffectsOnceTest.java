package dev.semel.proof.history;

import static dev.semel.proof.history.RecordedAnswer.Kind.EXECUTED;
import static dev.semel.proof.history.RecordedAnswer.Kind.GRANTED;
import static dev.semel.proof.history.RecordedAnswer.Kind.TAKEN_OVER;
import static dev.semel.proof.history.RecordedAnswer.Kind.THREW;
import static dev.semel.proof.history.RecordedAnswer.Kind.YES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.idempotency.TakeoverPolicy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When a second effect of the same key is one too many. */
class EffectsOnceTest {
  private final Story story = new Story();

  private List<String> wrong() {
    return new EffectsOnce(Duration.ZERO)
        .check(story.told()).stream().map(Violation::what).toList();
  }

  @Test
  void oneEffectIsRightWhateverWasTold() {
    story.by("a").executes().unheard();
    story.by("a").effect(1, false, "done");
    assertThat(wrong()).isEmpty();
  }

  @Test
  void twoWhereNobodyMayTakeOver() {
    story.by("a").executes().unheard();
    story.by("a").effect(1, false, "done");
    story.by("b").executes().answered(EXECUTED, 2, "again");
    story.by("b").effect(2, true, "again");
    assertThat(wrong())
        .containsExactly(
            "a's and b's work both took effect, in attempts 1 and 2, although nobody may take over");
  }

  @Test
  void twoOfOneAttempt() {
    story.under(TakeoverPolicy.RUN_AGAIN).by("a").executes().unheard();
    story.by("a").effect(1, false, "done");
    story.by("b").effect(1, true, "again");
    assertThat(wrong()).containsExactly("a's and b's work both took effect, both in attempt 1");
  }

  @Test
  void secondThatKnewIsRight() {
    story.under(TakeoverPolicy.RUN_AGAIN).by("a").executes().unheard();
    story.by("a").effect(1, false, "done");
    story.by("b").effect(2, true, "again");
    story.by("c").effect(3, true, "and again");
    assertThat(wrong()).isEmpty();
  }

  @Test
  void secondThatWasNotTold() {
    story.under(TakeoverPolicy.RUN_AGAIN).by("a").executes().unheard();
    story.by("a").effect(1, false, "done");
    story.by("b").effect(2, false, "again");
    assertThat(wrong())
        .containsExactly(
            "a's and b's work both took effect, in attempts 1 and 2, and the later was not told");
  }

  @Test
  void lateEffectOfTheFirstAttemptIsRight() {
    story.under(TakeoverPolicy.RUN_AGAIN).by("a").executes().unheard();
    story.by("b").effect(2, true, "done");
    story.by("a").effect(1, false, "late");
    assertThat(wrong()).isEmpty();
  }

  @Test
  void workThatFailedAfterItsEffectIsRunAgainRightly() {
    story.by("a").executes().from(0, 10).answered(THREW);
    story.by("a").effect(1, false, "half");
    story.by("b").executes().from(20, 30).answered(EXECUTED, 2, "done");
    story.by("b").effect(2, false, "done");
    assertThat(wrong()).isEmpty();
  }

  @Test
  void workThatWasAcknowledgedIsNotExcusedByAnotherFailureOfItsClient() {
    story.by("a").executes().from(0, 10).answered(EXECUTED, 1, "done");
    story.by("a").executes().from(0, 10).answered(THREW);
    story.by("a").effect(1, false, "done");
    story.by("b").effect(2, false, "again");
    assertThat(wrong()).hasSize(1);
  }

  @Test
  void whoTookOverAndGaveItBackDoesNotSettleIt() {
    story.under(TakeoverPolicy.RUN_AGAIN).by("a").claims().answered(GRANTED, 1);
    story.by("a").effect(1, false, "done");
    story.after(Story.LEASE);
    story.by("b").claims().answered(TAKEN_OVER, 2);
    story.by("b").releases().answered(YES);
    story.by("c").claims().answered(GRANTED, 3);
    story.by("c").effect(3, false, "again");
    assertThat(wrong()).hasSize(1);
  }

  @Test
  void forgottenKeyStartsFromTheBeginning() {
    story.by("a").claims().answered(GRANTED, 1);
    story.by("a").effect(1, false, "done");
    story.after(Story.RETENTION);
    story.by("b").claims().answered(GRANTED, 1);
    story.by("b").effect(1, false, "again");
    assertThat(wrong()).isEmpty();
  }
}

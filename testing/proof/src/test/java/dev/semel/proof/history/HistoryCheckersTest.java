package dev.semel.proof.history;

import static dev.semel.proof.history.RecordedAnswer.Kind.EXECUTED;
import static dev.semel.proof.history.RecordedAnswer.Kind.FAILED;
import static dev.semel.proof.history.RecordedAnswer.Kind.GRANTED;
import static dev.semel.proof.history.RecordedAnswer.Kind.IN_DOUBT;
import static dev.semel.proof.history.RecordedAnswer.Kind.IN_FLIGHT;
import static dev.semel.proof.history.RecordedAnswer.Kind.MISMATCH;
import static dev.semel.proof.history.RecordedAnswer.Kind.REPLAY;
import static dev.semel.proof.history.RecordedAnswer.Kind.TAKEN_OVER;
import static dev.semel.proof.history.RecordedAnswer.Kind.THREW;
import static dev.semel.proof.history.RecordedAnswer.Kind.UNRECORDED;
import static dev.semel.proof.history.RecordedAnswer.Kind.YES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.idempotency.TakeoverPolicy;
import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Each promise of its own: a history that keeps it although it looks bad, and ones that don't. */
class HistoryCheckersTest {
  private final Story story = new Story();

  private void assertKept(HistoryChecker promise) {
    assertThat(promise.check(story.told())).isEmpty();
  }

  private void assertBroken(HistoryChecker promise, String what) {
    assertThat(promise.check(story.told()))
        .singleElement()
        .satisfies(v -> assertThat(v.what()).isEqualTo(what))
        .satisfies(v -> assertThat(v.promise()).isEqualTo(promise.promise()))
        .satisfies(v -> assertThat(v.key()).isEqualTo(Story.KEY));
  }

  @Nested
  class OneAcceptedCompletion {
    private final HistoryChecker promise = new OneCompletion(Duration.ZERO);

    @Test
    void isKeptByARepetitionAndByALostAnswer() {
      story.by("a").completes("done").unheard();
      story.by("a").completes("done").answered(YES);
      story.by("a").completes("done").answered(YES);
      story.by("b").completes("other").answered(RecordedAnswer.Kind.NO);
      assertKept(promise);
    }

    @Test
    void isKeptByTheNextRecordAfterTheRetention() {
      story.by("a").completes("done").answered(YES);
      story.after(Story.RETENTION);
      story.by("b").completes("other").answered(YES);
      assertKept(promise);
    }

    @Test
    void isNotKeptLongerByARepetition() {
      story.by("a").completes("done").answered(YES);
      story.after(Story.RETENTION.dividedBy(2));
      story.by("a").completes("done").answered(YES);
      story.after(Story.RETENTION.dividedBy(2));
      story.by("b").completes("other").answered(YES);
      assertKept(promise);
    }

    @Test
    void isBrokenByTwoTokens() {
      story.by("a").completes("done").answered(YES);
      story.by("b").completes("done").answered(YES);
      assertBroken(
          promise, "a's completion with done and b's completion with done were both accepted");
    }

    @Test
    void isBrokenByTwoValues() {
      story.by("a").completes("done").answered(YES);
      story.by("a").completes("other").answered(YES);
      assertBroken(
          promise, "a's completion with done and a's completion with other were both accepted");
    }

    @Test
    void isBrokenByAFailureBesideIt() {
      story.by("a").completes("done").answered(YES);
      story.by("b").fails("done").answered(YES);
      assertThat(promise.check(story.told())).hasSize(1);
    }
  }

  @Nested
  class AReplay {
    private final HistoryChecker promise = new ReplayIsTheFirst(Duration.ZERO);

    @Test
    void isThatOfALostCompletion() {
      story.by("a").claims().answered(GRANTED, 1);
      story.by("a").completes("done").unheard();
      story.by("b").claims().answered(REPLAY, 1, "done");
      story.by("b").executes().answered(REPLAY, 1, "done");
      assertKept(promise);
    }

    @Test
    void isThatOfTheNextRecordAfterTheRetention() {
      story.by("a").completes("done").answered(YES);
      story.after(Story.RETENTION);
      story.by("b").completes("other").answered(YES);
      story.by("c").claims().answered(REPLAY, 1, "other");
      assertKept(promise);
    }

    @Test
    void isThatOfAnExecutionWhereOnlyThoseAreKnown() {
      story.by("a").executes().answered(UNRECORDED, 1, "done");
      story.by("b").executes().answered(REPLAY, 1, "done");
      assertKept(promise);
    }

    @Test
    void isNotAnother() {
      story.by("a").completes("done").answered(YES);
      story.by("b").completes("other").unheard();
      story.by("c").claims().answered(REPLAY, 1, "other");
      assertBroken(
          promise,
          "c's claim was answered replay other (attempt 1) although a's completion with done had been accepted");
    }

    @Test
    void isNotOfNoOne() {
      story.by("a").claims().answered(GRANTED, 1);
      story.by("b").claims().answered(REPLAY, 1, "done");
      story.by("a").completes("done").answered(YES);
      assertBroken(
          promise,
          "b's claim was answered replay done (attempt 1), which nobody had completed it with");
    }

    @Test
    void isNotOfNoExecution() {
      story.by("a").executes().answered(THREW);
      story.by("b").executes().answered(REPLAY, 1, "done");
      assertThat(promise.check(story.told())).hasSize(1);
    }
  }

  @Nested
  class WhoLostTheKey {
    private final HistoryChecker promise = new NoStaleMutation();

    @Test
    void mayHaveBeenGrantedItAgain() {
      story.by("a").claims().answered(GRANTED, 1);
      story.by("a").releases().answered(YES);
      story.by("b").claims().answered(GRANTED, 2);
      story.by("b").releases().answered(YES);
      story.by("a").claims().unheard();
      story.by("a").completes("done").answered(YES);
      assertKept(promise);
    }

    @Test
    void mayHaveAskedBeforeItLostIt() {
      story.under(TakeoverPolicy.RUN_AGAIN).by("a").claims().answered(GRANTED, 1);
      story.by("a").renews().from(90, 120).answered(YES);
      story.by("b").claims().from(101, 110).answered(TAKEN_OVER, 2);
      assertKept(promise);
    }

    @Test
    void renewsNothing() {
      lose();
      story.by("a").renews().answered(YES);
      assertBroken(
          promise,
          "a's renewal was accepted after b's claim had been answered taken over (attempt 2)");
    }

    @Test
    void releasesNothing() {
      lose();
      story.by("a").releases().answered(YES);
      assertThat(promise.check(story.told())).hasSize(1);
    }

    @Test
    void completesNothing() {
      lose();
      story.by("a").completes("stale").answered(YES);
      assertThat(promise.check(story.told())).hasSize(1);
    }

    private void lose() {
      story.under(TakeoverPolicy.RUN_AGAIN).by("a").claims().answered(GRANTED, 1);
      story.after(Story.LEASE);
      story.by("b").claims().answered(TAKEN_OVER, 2);
    }
  }

  @Nested
  class Acknowledged {
    private final HistoryChecker promise = new NothingLost(Duration.ZERO);

    @Test
    void isReplayedOrNothingIsSaid() {
      story.by("a").executes().from(0, 10).answered(EXECUTED, 1, "done");
      story.by("b").executes().from(5, 8).answered(IN_FLIGHT, 1);
      story.by("b").executes().from(20, 30).answered(REPLAY, 1, "done");
      story.by("b").executes().answered(THREW);
      story.by("b").executes().answered(IN_FLIGHT, 1);
      story.by("b").executes().answered(MISMATCH, 1);
      story.by("b").executes().unheard();
      assertKept(promise);
    }

    @Test
    void isForgottenAfterTheRetention() {
      story.by("a").executes().from(0, 10).answered(EXECUTED, 1, "done");
      story.by("a").completes("done").from(5, 6).answered(YES);
      story.after(Story.RETENTION);
      story.by("b").executes().answered(EXECUTED, 1, "again");
      assertKept(promise);
    }

    @Test
    void isNeverRunAgainOrForgottenOrInDoubtOrChanged() {
      story.by("a").executes().answered(EXECUTED, 1, "done");
      story.by("b").executes().answered(EXECUTED, 1, "again");
      story.by("b").executes().answered(UNRECORDED, 1, "again");
      story.by("b").executes().answered(IN_DOUBT, 1);
      story.by("b").executes().answered(FAILED, 1);
      story.by("b").executes().answered(REPLAY, 1, "other");
      assertThat(promise.check(story.told()))
          .hasSize(5)
          .first()
          .satisfies(
              v ->
                  assertThat(v.what())
                      .isEqualTo(
                          "a's execution was acknowledged as executed done (attempt 1), but later b's execution was answered executed again (attempt 1)"));
    }
  }
}

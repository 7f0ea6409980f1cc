package dev.semel.proof.history;

import static dev.semel.proof.history.RecordedAnswer.Kind.FAILED;
import static dev.semel.proof.history.RecordedAnswer.Kind.GRANTED;
import static dev.semel.proof.history.RecordedAnswer.Kind.IN_DOUBT;
import static dev.semel.proof.history.RecordedAnswer.Kind.IN_FLIGHT;
import static dev.semel.proof.history.RecordedAnswer.Kind.MISMATCH;
import static dev.semel.proof.history.RecordedAnswer.Kind.NO;
import static dev.semel.proof.history.RecordedAnswer.Kind.REPLAY;
import static dev.semel.proof.history.RecordedAnswer.Kind.TAKEN_OVER;
import static dev.semel.proof.history.RecordedAnswer.Kind.YES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.idempotency.TakeoverPolicy;
import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Histories that a correct store could have given, and those that none could. */
class LinearizabilityTest {
  private final Story story = new Story();

  private void assertExplained() {
    assertThat(Linearizability.exact().check(story.told())).isEmpty();
  }

  private void assertUnexplained(String what) {
    assertThat(Linearizability.exact().check(story.told()))
        .singleElement()
        .satisfies(v -> assertThat(v.what()).contains(what))
        .satisfies(v -> assertThat(v.calls()).hasSameSizeAs(story.told().calls()));
  }

  @Nested
  class Explained {
    @Test
    void claimWorkCompletionAndReplay() {
      story.by("a").claims().answered(GRANTED, 1);
      story.by("b").claims().answered(IN_FLIGHT, 1);
      story.by("a").renews().answered(YES);
      story.by("a").completes("done").answered(YES);
      story.by("b").claims().answered(REPLAY, 1, "done");
      story.by("b").completes("mine").answered(NO);
      story.by("a").completes("done").answered(YES);
      assertExplained();
    }

    @Test
    void twoAtOnceInTheOrderThatTheAnswersTell() {
      story.by("a").claims().from(0, 9).answered(IN_FLIGHT, 1);
      story.by("b").claims().from(2, 7).answered(GRANTED, 1);
      assertExplained();
    }

    @Test
    void claimIsRecognisedAsItsOwnAfterALostAnswer() {
      story.by("a").claims().unheard();
      story.by("a").claims().answered(GRANTED, 1);
      story.by("a").releases().answered(YES);
      story.by("a").releases().answered(YES);
      story.by("b").claims().unheard();
      story.by("b").claims().answered(TAKEN_OVER, 2);
      assertExplained();
    }

    @Test
    void lostAnswerTookEffectLongAfterItWasGivenUp() {
      story.by("a").claims().unheard();
      story.by("b").claims().answered(GRANTED, 1);
      story.by("b").releases().answered(YES);
      story.by("c").claims().answered(IN_FLIGHT, 2);
      assertExplained();
    }

    /** The second release need not be the first one's repetition. */
    @Test
    void lostClaimByOneWhoReleasedIsReleasedToo() {
      story.by("a").claims().answered(GRANTED, 1);
      story.by("a").releases().answered(YES);
      story.by("a").claims().unheard();
      story.by("a").releases().answered(YES);
      story.by("b").claims().answered(GRANTED, 3);
      assertExplained();
    }

    @Test
    void lostAnswerNeverTookEffect() {
      story.by("a").claims().unheard();
      story.by("b").claims().answered(GRANTED, 1);
      story.by("b").completes("done").answered(YES);
      assertExplained();
    }

    @Test
    void lostCompletionIsReplayed() {
      story.by("a").claims().answered(GRANTED, 1);
      story.by("a").completes("done").unheard();
      story.by("b").claims().answered(IN_FLIGHT, 1);
      story.by("b").claims().answered(REPLAY, 1, "done");
      assertExplained();
    }

    @Test
    void renewalAndCompletionAfterTheLeaseEnded() {
      story.by("a").claims().answered(GRANTED, 1);
      story.after(Story.LEASE);
      story.by("b").claims().answered(IN_DOUBT, 1);
      story.by("a").renews().answered(YES);
      story.by("b").claims().answered(IN_FLIGHT, 1);
      story.after(Story.LEASE);
      story.by("a").completes("late").answered(YES);
      story.by("b").claims().answered(REPLAY, 1, "late");
      assertExplained();
    }

    @Test
    void takeoverFencesTheFirst() {
      story.under(TakeoverPolicy.RUN_AGAIN).by("a").claims().answered(GRANTED, 1);
      story.after(Story.LEASE);
      story.by("b").claims().answered(TAKEN_OVER, 2);
      story.by("a").renews().answered(NO);
      story.by("a").completes("stale").answered(NO);
      story.by("a").releases().answered(NO);
      story.by("b").completes("done").answered(YES);
      assertExplained();
    }

    @Test
    void releaseKeepsTheAttemptAndForgetsTheRequest() {
      story.asking("one").by("a").claims().answered(GRANTED, 1);
      story.asking("two").by("b").claims().answered(MISMATCH, 1);
      story.by("a").releases().answered(YES);
      story.by("b").claims().answered(GRANTED, 2);
      story.by("b").fails("declined").answered(YES);
      story.by("a").claims().answered(FAILED, 2, "declined");
      story.asking("one").by("a").claims().answered(MISMATCH, 2);
      assertExplained();
    }

    @Test
    void recordIsForgottenAfterItsRetention() {
      story.by("a").claims().answered(GRANTED, 1);
      story.by("a").completes("done").answered(YES);
      story.after(Story.RETENTION);
      story.by("a").completes("done").answered(NO);
      story.by("b").claims().answered(GRANTED, 1);
      assertExplained();
    }
  }

  /** Both explain the answer: the claim met its own record, or that was forgotten just before. */
  @Nested
  class ClaimOfItsOwnAtTheEndOfTheRetention {
    private final long end = Story.RETENTION.toMillis();

    @Test
    void mayBeAGrantOfItsOwn() {
      story.by("a").claims().from(0, 1).answered(GRANTED, 1);
      story.by("a").claims().from(end - 2, end + 3).answered(GRANTED, 1);
      story.by("b").claims().from(end + 10, end + 11).answered(IN_FLIGHT, 1);
      assertExplained();
    }

    @Test
    void mayBeTheFirstOneRecognised() {
      story.by("a").claims().from(0, 1).answered(GRANTED, 1);
      story.by("a").claims().from(end - 2, end + 3).answered(GRANTED, 1);
      story.by("a").renews().from(end + 4, end + 5).answered(NO);
      assertExplained();
    }
  }

  @Nested
  class Unexplained {
    @Test
    void twoGrants() {
      story.by("a").claims().from(0, 5).answered(GRANTED, 1);
      story.by("b").claims().from(1, 6).answered(GRANTED, 1);
      assertUnexplained("claim was answered granted (attempt 1)");
    }

    @Test
    void staleCompletion() {
      story.under(TakeoverPolicy.RUN_AGAIN).by("a").claims().answered(GRANTED, 1);
      story.after(Story.LEASE);
      story.by("b").claims().answered(TAKEN_OVER, 2);
      story.by("a").completes("stale").answered(YES);
      assertUnexplained(
          "a's completion with stale was answered yes, which no order of the calls explains: at best 2 come before it, and the record is then in flight, attempt 2");
    }

    @Test
    void takeoverWhileTheLeaseRuns() {
      story.under(TakeoverPolicy.RUN_AGAIN).by("a").claims().answered(GRANTED, 1);
      story.after(Story.LEASE.minusMillis(5));
      story.by("a").renews().answered(YES);
      story.after(Story.LEASE.minusMillis(5));
      story.by("b").claims().answered(TAKEN_OVER, 2);
      assertUnexplained("b's claim was answered taken over (attempt 2)");
    }

    @Test
    void leaseThatNeverEnds() {
      story.by("a").claims().answered(GRANTED, 1);
      story.after(Story.LEASE);
      story.by("b").claims().answered(IN_FLIGHT, 1);
      assertUnexplained("b's claim was answered in flight");
    }

    @Test
    void anotherValueReplayed() {
      story.by("a").claims().answered(GRANTED, 1);
      story.by("a").completes("done").answered(YES);
      story.by("b").claims().answered(REPLAY, 1, "other");
      assertUnexplained("b's claim was answered replay other");
    }

    @Test
    void recordLostBeforeItsRetention() {
      story.by("a").claims().answered(GRANTED, 1);
      story.by("a").completes("done").answered(YES);
      story.after(Story.RETENTION.dividedBy(2));
      story.by("b").claims().answered(GRANTED, 1);
      assertUnexplained("b's claim was answered granted (attempt 1)");
    }

    @Test
    void attemptLostByARelease() {
      story.by("a").claims().answered(GRANTED, 1);
      story.by("a").releases().answered(YES);
      story.by("b").claims().answered(GRANTED, 1);
      assertUnexplained("b's claim was answered granted (attempt 1)");
    }

    @Test
    void anOrderThatTimeForbids() {
      story.by("b").claims().answered(IN_FLIGHT, 1);
      story.by("a").claims().answered(GRANTED, 1);
      assertUnexplained("b's claim was answered in flight");
    }

    @Test
    void lostAnswerThatTookEffectTwice() {
      story.by("x").claims().unheard();
      story.by("a").claims().answered(GRANTED, 1);
      story.by("a").releases().answered(YES);
      story.by("b").claims().answered(GRANTED, 4);
      assertUnexplained("b's claim was answered granted (attempt 4)");
    }
  }

  /** What only a way to the store explains that carries calls twice. */
  @Nested
  class Repeated {
    private final Linearizability repeats = new Linearizability(Duration.ofMillis(5), true);

    @Test
    void releaseTookEffectAndItsRepetitionFoundAnotherHolder() {
      story.by("a").claims().answered(GRANTED, 1);
      story.by("a").releases().from(10, 30).answered(NO);
      story.by("b").claims().from(12, 20).answered(GRANTED, 2);
      story.by("b").completes("done").from(22, 25).answered(YES);
      assertThat(repeats.check(story.told())).isEmpty();
      assertUnexplained("");
    }

    @Test
    void butNotAfterItWasAnswered() {
      story.by("a").releases().from(0, 2).answered(NO);
      story.by("a").claims().from(10, 12).answered(GRANTED, 1);
      story.by("b").claims().from(20, 22).answered(GRANTED, 2);
      assertThat(repeats.check(story.told())).hasSize(1);
    }
  }

  @Test
  void toleranceForgivesAClockThatRunsAside() {
    story.under(TakeoverPolicy.RUN_AGAIN).by("a").claims().answered(GRANTED, 1);
    story.after(Story.LEASE.minusMillis(20));
    story.by("b").claims().answered(TAKEN_OVER, 2);
    assertThat(new Linearizability(Duration.ofMillis(10), false).check(story.told())).hasSize(1);
    assertThat(new Linearizability(Duration.ofMillis(30), false).check(story.told())).isEmpty();
  }

  @Test
  void searchThatIsGivenUpSaysSo() {
    for (int i = 0; i < 8; i++) {
      story.by("lost-" + i).claims().unheard();
    }
    story.by("a").claims().answered(GRANTED, 20);
    assertThat(new Linearizability(Duration.ZERO, false, 3).check(story.told()))
        .singleElement()
        .satisfies(v -> assertThat(v.promise()).isEqualTo(Linearizability.UNDECIDED));
  }
}

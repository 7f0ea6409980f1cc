package dev.semel.server.subscription.internal.rules;

import static dev.semel.server.subscription.World.ack;
import static dev.semel.server.subscription.World.code;
import static dev.semel.server.subscription.World.path;
import static dev.semel.server.subscription.World.pull;
import static dev.semel.server.subscription.World.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.server.subscription.World;
import dev.semel.stream.Offset;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Retries of calls, and the end of a wake. */
final class WakeScheduleTest {
  private static final Duration LEASE = Duration.ofSeconds(10);

  private final World world = new World();

  private void answered(String id, boolean done) {
    world.rules.wakes().answered(world.step(), current(id), done);
  }

  private WakeCall current(String id) {
    return new WakeCall(id, world.wake(id).generation());
  }

  private void started(String id) {
    world.rules.wakes().started(world.step(), world.sub(id));
  }

  private DecisionStep failed(String id) {
    DecisionStep step = world.step();
    world.rules.wakes().failed(step, current(id));
    return step;
  }

  private void begin() {
    world.put("s", webhook("a/*"));
    world.appended("a/1", 10);
    started("s");
  }

  @Test
  void oneWakeAtATime() {
    begin();
    assertThat(world.appended("a/1", 1).calls()).isEmpty();
    assertThat(world.appended("a/2", 1).calls()).isEmpty();
    assertThat(world.wake("s").generation()).isEqualTo(1);
    assertThat(world.wake("s").snapshot()).containsOnlyKeys(path("a/1"));
  }

  @Test
  void doneAcknowledgesTheSnapshotAndWhatCameSinceWakesAgain() {
    begin();
    world.appended("a/1", 5);
    answered("s", true);
    assertThat(world.acked("s", "a/1")).isEqualTo(new Offset(10));
    assertThat(world.wake("s").generation()).isEqualTo(2);
    assertThat(world.wake("s").snapshot()).containsEntry(path("a/1"), new Offset(15));
    answered("s", true);
    assertThat(world.sub("s").wake()).isEmpty();
    assertThat(world.acked("s", "a/1")).isEqualTo(new Offset(15));
  }

  @Test
  void doneSaysNothingOfAStreamThatBeganAnewMeanwhile() {
    begin();
    world.deleted("a/1");
    world.appended("a/1", 20);
    answered("s", true);
    assertThat(world.acked("s", "a/1")).isEqualTo(Offset.ZERO);
    assertThat(world.wake("s").generation()).isEqualTo(2);
  }

  @Test
  void whoTookItOnHasALeaseAndLosesItWhenThatIsOver() {
    begin();
    answered("s", false);
    WakeClaim holder = world.hold("s");
    world.advance(LEASE.minusMillis(1));
    assertThat(world.tick("s").changes()).isEmpty();
    world.advance(Duration.ofMillis(1));
    assertThat(world.tick("s").calls()).containsExactly(new WakeCall("s", 2));
    assertThat(code(world.ack("s", holder, true, ack("a/1", 10)))).isEqualTo(ProtocolCode.FENCED);
    assertThat(world.acked("s", "a/1")).isEqualTo(Offset.ZERO);
  }

  @Test
  void aCallbackKeepsTheLeaseAlive() {
    begin();
    answered("s", false);
    world.advance(LEASE.minusMillis(1));
    assertThat(world.ack("s", world.hold("s"), false, ack("a/1", 4)))
        .isEqualTo(new SubscriptionReply.Taken(false));
    world.advance(LEASE.minusMillis(1));
    assertThat(world.tick("s").changes()).isEmpty();
    assertThat(world.ack("s", world.hold("s"), true, ack("a/1", 10)))
        .isEqualTo(new SubscriptionReply.Taken(false));
    assertThat(world.sub("s").wake()).isEmpty();
  }

  @Test
  void pausesDoubleFromASecondToAMinute() {
    for (double drawn : new double[] {0, 0.5, 1}) {
      World one = new World(World.LIMITS, drawn);
      one.put("s", webhook("a/*"));
      one.appended("a/1", 1);
      for (long seconds : new long[] {1, 2, 4, 8, 16, 32, 60, 60, 60}) {
        one.rules.wakes().failed(one.step(), new WakeCall("s", one.wake("s").generation()));
        assertThat(one.sub("s").nextAttempt() - one.now)
            .isEqualTo(Math.round(seconds * 1000 * (1 + drawn) / 2));
        one.now = one.sub("s").nextAttempt();
        assertThat(one.tick("s").calls()).hasSize(1);
      }
    }
  }

  @Test
  void afterAFailureTheSameWakeIsCalledForAgain() {
    begin();
    failed("s");
    assertThat(world.sub("s").failures()).isEqualTo(1);
    assertThat(WakeSchedule.due(world.sub("s"))).contains(world.now + 1000);
    assertThat(world.appended("a/1", 1).calls()).isEmpty();
    world.advance(Duration.ofMillis(999));
    assertThat(world.tick("s").calls()).isEmpty();
    world.advance(Duration.ofMillis(1));
    assertThat(world.tick("s").calls()).containsExactly(new WakeCall("s", 1));
    answered("s", false);
    assertThat(world.sub("s").failures()).isZero();
  }

  @Test
  void whoAnswersTheCallbackIsWellAgain() {
    begin();
    failed("s");
    assertThat(world.ack("s", world.hold("s"), true, ack("a/1", 10)))
        .isEqualTo(new SubscriptionReply.Taken(false));
    assertThat(world.sub("s").failures()).isZero();
    assertThat(WakeSchedule.due(world.sub("s"))).isEmpty();
  }

  @Test
  void aLeaseThatEndsBetweenTriesDoesNotShortenThePause() {
    begin();
    for (int i = 0; i < 5; i++) {
      failed("s");
      world.now = world.sub("s").nextAttempt();
      world.tick("s");
      started("s");
    }
    failed("s"); // now 32 seconds, the lease is 10
    long last = world.sub("s").generation();
    world.advance(LEASE);
    assertThat(world.tick("s").calls()).isEmpty();
    assertThat(world.sub("s").wake()).isEmpty();
    world.now = world.sub("s").nextAttempt();
    assertThat(world.tick("s").calls()).containsExactly(new WakeCall("s", last + 1));
  }

  @Test
  void aReceiverThatNeverAnswersIsNotCalledAgainAtOnce() {
    begin();
    world.advance(LEASE);
    assertThat(world.tick("s").calls()).isEmpty();
    assertThat(world.sub("s").failures()).isEqualTo(1);
    world.advance(Duration.ofSeconds(1));
    assertThat(world.tick("s").calls()).containsExactly(new WakeCall("s", 2));
  }

  @Test
  void whatComesOfAnOldCallNoLongerCounts() {
    begin();
    WakeCall old = current("s");
    world.ack("s", world.hold("s"), true, ack("a/1", 3));
    assertThat(world.wake("s").generation()).isEqualTo(2);
    DecisionStep late = world.step();
    world.rules.wakes().answered(late, old, true);
    world.rules.wakes().failed(late, old);
    assertThat(late.changes()).isEmpty();
    assertThat(world.acked("s", "a/1")).isEqualTo(new Offset(3));
  }

  @Test
  void aWakeIsAboutAThousandStreamsAtMostAndNoneIsPassedOver() {
    world.put("s", webhook("a/*"));
    world.put("t", World.named("b"));
    for (int i = 0; i < 2500; i++) {
      world.append("a/" + i, 1);
    }
    DecisionStep step = world.step();
    world.streams.values().forEach(head -> world.rules.membership().observe(step, head));
    answered("s", true); // the first wake was for the stream that was seen first
    assertThat(world.wake("s").snapshot()).hasSize(WakeSchedule.MAX_STREAMS);
    for (int i = 0; i < 3; i++) {
      answered("s", true);
    }
    assertThat(world.sub("s").wake()).isEmpty();
    assertThat(world.sub("s").pending()).isEmpty();
  }

  @Test
  void afterARestartACallIsMadeAgainUnlessItWasTaken() {
    begin();
    world.put("t", webhook("a/*"));
    world.appended("a/1", 1);
    answered("t", false);
    DecisionStep step = restarted();
    assertThat(step.calls()).containsExactly(new WakeCall("s", 1));
    assertThat(WakeSchedule.due(world.sub("t"))).contains(world.now + LEASE.toMillis());
  }

  @Test
  void afterARestartThePauseGoesOn() {
    begin();
    failed("s");
    long next = world.sub("s").nextAttempt();
    assertThat(restarted().calls()).isEmpty();
    assertThat(WakeSchedule.due(world.sub("s"))).contains(next);
    world.now = next;
    assertThat(world.tick("s").calls()).containsExactly(new WakeCall("s", 1));
  }

  @Test
  void aClockThatWasSetBackDoesNotMakeAPauseEndless() {
    begin();
    failed("s");
    world.advance(Duration.ofDays(-30));
    restarted();
    assertThat(world.sub("s").nextAttempt() - world.now).isLessThanOrEqualTo(72_000);
  }

  private DecisionStep restarted() {
    SubscriptionTable loaded = new SubscriptionTable();
    world.table.whole().forEach(loaded::apply);
    assertThat(loaded).isEqualTo(world.table);
    world.table = loaded;
    DecisionStep step = world.step();
    loaded.all().forEach(s -> world.rules.wakes().resume(step, s));
    return step;
  }

  @Test
  void anUnclaimedPullWakeIsAnnouncedAgainAfterARestartAndAClaimedOneIsLeased() {
    world.put("s", pull("a/*"));
    world.put("t", pull("a/*"));
    world.appended("a/1", 1);
    world.claim("t", "worker");
    assertThat(restarted().calls()).containsExactly(new WakeCall("s", 1));
    assertThat(WakeSchedule.due(world.sub("t"))).contains(world.now + LEASE.toMillis());
    assertThat(WakeSchedule.due(world.sub("s"))).isEmpty();
    assertThat(List.copyOf(world.table.all())).hasSize(2);
  }
}

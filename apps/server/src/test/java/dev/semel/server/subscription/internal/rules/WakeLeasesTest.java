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
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Claims of wakes, and the requests of their holders. */
final class WakeLeasesTest {
  private final World world = new World();

  @BeforeEach
  void pending() {
    world.put("s", pull("a/*"));
    world.appended("a/1", 10);
  }

  @Test
  void oneOfManyGetsTheClaim() {
    assertThat(world.claim("s", "one")).isInstanceOf(SubscriptionReply.Granted.class);
    assertThat(world.claim("s", "two")).isEqualTo(new SubscriptionReply.Busy("one", 1));
    assertThat(world.claim("s", "one")).isEqualTo(new SubscriptionReply.Busy("one", 1));
  }

  @Test
  void aClaimNeedsWorkAndTheWakeThatBroughtNobodyWorkIsOver() {
    world.deleted("a/1");
    assertThat(code(world.claim("s", "one"))).isEqualTo(ProtocolCode.NO_PENDING_WORK);
    assertThat(world.sub("s").wake()).isEmpty();
    assertThat(world.appended("a/2", 1).calls()).containsExactly(new WakeCall("s", 2));
  }

  @Test
  void aClaimThatComesBeforeTheWakeMakesOne() {
    world.claim("s", "one");
    world.ack("s", world.hold("s"), true, ack("a/1", 10));
    world.append("a/1", 1);
    world.sub("s").saw(path("a/1"), 1, new Offset(11));
    assertThat(world.claim("s", "two")).isInstanceOf(SubscriptionReply.Granted.class);
    assertThat(world.wake("s").generation()).isEqualTo(2);
  }

  @Test
  void ackWithoutDoneIsAHeartbeat() {
    world.claim("s", "one");
    for (int i = 0; i < 5; i++) {
      world.advance(Duration.ofSeconds(9));
      world.tick("s");
      assertThat(world.ack("s", world.hold("s"), false))
          .isEqualTo(new SubscriptionReply.Taken(false));
    }
    world.advance(Duration.ofSeconds(10));
    assertThat(world.tick("s").calls()).containsExactly(new WakeCall("s", 2));
    assertThat(world.claim("s", "two")).isInstanceOf(SubscriptionReply.Granted.class);
  }

  @Test
  void doneWithWorkLeftWakesAgain() {
    world.claim("s", "one");
    assertThat(world.ack("s", world.hold("s"), true, ack("a/1", 9)))
        .isEqualTo(new SubscriptionReply.Taken(true));
    assertThat(world.wake("s").claimed()).isFalse();
  }

  @Test
  void releaseWakesAgain() {
    world.claim("s", "one");
    WakeClaim hold = world.hold("s");
    DecisionStep step = world.step();
    assertThat(world.rules.holding().release(step, "s", hold))
        .isEqualTo(new SubscriptionReply.Nothing());
    assertThat(step.calls()).containsExactly(new WakeCall("s", 2));
    assertThat(code(world.rules.holding().release(world.step(), "s", hold)))
        .isEqualTo(ProtocolCode.FENCED);
  }

  @Test
  void onlyTheVeryWakeIsGoodEnough() {
    world.claim("s", "one");
    WakeClaim good = world.hold("s");
    WakePass pass = good.pass().orElseThrow();
    for (WakeClaim bad :
        List.of(
            new WakeClaim(good.pass(), "w_other", good.generation()),
            new WakeClaim(good.pass(), good.wake(), good.generation() + 1),
            new WakeClaim(
                Optional.of(new WakePass("s", "w_other", 1)), good.wake(), good.generation()),
            new WakeClaim(
                Optional.of(new WakePass("s", pass.wake(), 0)), good.wake(), good.generation()))) {
      assertThat(code(world.ack("s", bad, true))).isEqualTo(ProtocolCode.FENCED);
    }
    for (WakeClaim bad :
        List.of(
            new WakeClaim(Optional.empty(), good.wake(), good.generation()),
            new WakeClaim(
                Optional.of(new WakePass("t", pass.wake(), 1)), good.wake(), good.generation()))) {
      assertThat(code(world.ack("s", bad, true))).isEqualTo(ProtocolCode.TOKEN_INVALID);
    }
    assertThat(world.ack("s", good, true, ack("a/1", 10)))
        .isEqualTo(new SubscriptionReply.Taken(false));
  }

  @Test
  void offsetsThatCantBeAreRefusedAndNothingOfTheRequestIsTaken() {
    world.appended("a/2", 5);
    world.claim("s", "one");
    WakeClaim hold = world.hold("s");
    world.ack("s", hold, false, ack("a/1", 4));
    for (SubscriptionAck bad : List.of(ack("a/1", 3), ack("a/1", 11), ack("b", 1))) {
      assertThat(code(world.ack("s", hold, true, ack("a/2", 5), bad)))
          .isEqualTo(ProtocolCode.INVALID_OFFSET);
    }
    assertThat(world.acked("s", "a/1")).isEqualTo(new Offset(4));
    assertThat(world.acked("s", "a/2")).isEqualTo(Offset.ZERO);
    assertThat(world.wake("s").claimed()).isTrue();
    assertThat(world.ack("s", hold, false, ack("a/1", 4)))
        .isEqualTo(new SubscriptionReply.Taken(false));
  }

  @Test
  void whatIsToBeLookedAtFirst() {
    assertThat(WakeLeases.doubtful(world.table, "s")).isEmpty();
    assertThat(WakeLeases.beyond(world.table, "s", List.of(ack("a/1", 11), ack("b", 1))))
        .containsExactly(path("a/1"));
    world.claim("s", "one");
    world.ack("s", world.hold("s"), true, ack("a/1", 10));
    assertThat(WakeLeases.doubtful(world.table, "s")).containsExactly(path("a/1"));
    assertThat(WakeLeases.doubtful(world.table, "none")).isEmpty();
  }

  @Test
  void whatIsSaidOfAStreamThatBeganAnewCountsForNothing() {
    world.claim("s", "one");
    world.deleted("a/1");
    world.appended("a/1", 20);
    assertThat(world.ack("s", world.hold("s"), true, ack("a/1", 10)))
        .isEqualTo(new SubscriptionReply.Taken(true));
    assertThat(world.acked("s", "a/1")).isEqualTo(Offset.ZERO);
    world.claim("s", "one");
    assertThat(world.ack("s", world.hold("s"), true, ack("a/1", 20)))
        .isEqualTo(new SubscriptionReply.Taken(false));
  }

  @Test
  void whoDeletesAStreamMayStillAcknowledgeIt() {
    world.claim("s", "one");
    world.deleted("a/1");
    assertThat(world.ack("s", world.hold("s"), true, ack("a/1", 10)))
        .isEqualTo(new SubscriptionReply.Taken(false));
  }

  @Test
  void eachKindHasItsOwnWays() {
    world.put("h", webhook("b/*"));
    world.appended("b/1", 1);
    assertThat(code(world.claim("h", "one"))).isEqualTo(ProtocolCode.INVALID_REQUEST);
    assertThat(code(world.rules.holding().release(world.step(), "h", world.hold("h"))))
        .isEqualTo(ProtocolCode.INVALID_REQUEST);
    assertThat(
            code(
                world
                    .rules
                    .holding()
                    .ack(world.step(), "h", world.hold("h"), List.of(), true, false)))
        .isEqualTo(ProtocolCode.INVALID_REQUEST);
    assertThat(
            code(
                world
                    .rules
                    .holding()
                    .ack(world.step(), "s", world.hold("s"), List.of(), true, true)))
        .isEqualTo(ProtocolCode.INVALID_REQUEST);
    assertThat(world.claim("none", "one")).isEqualTo(SubscriptionReply.missing());
  }
}

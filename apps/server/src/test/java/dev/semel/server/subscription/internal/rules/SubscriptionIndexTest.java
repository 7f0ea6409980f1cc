package dev.semel.server.subscription.internal.rules;

import static dev.semel.server.subscription.World.ack;
import static dev.semel.server.subscription.World.code;
import static dev.semel.server.subscription.World.named;
import static dev.semel.server.subscription.World.path;
import static dev.semel.server.subscription.World.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.server.subscription.SubscriptionLimits;
import dev.semel.server.subscription.World;
import dev.semel.stream.Offset;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which streams a subscription follows, and from which offset. */
final class SubscriptionIndexTest {
  private final World world = new World();

  @Test
  void whatIsThereIsLinkedAtItsTail() {
    world.append("a/1", 10);
    world.append("b", 10);
    assertThat(((SubscriptionReply.Described) world.put("s", webhook("a/*"))).created()).isTrue();
    assertThat(world.sub("s").links().keySet()).containsExactly(path("a/1"));
    assertThat(world.acked("s", "a/1")).isEqualTo(new Offset(10));
    assertThat(world.look("a/1").calls()).isEmpty();
    assertThat(world.appended("a/1", 1).calls()).containsExactly(new WakeCall("s", 1));
  }

  @Test
  void whatComesLaterIsFollowedFromItsStart() {
    world.put("s", webhook("a/*"));
    assertThat(world.appended("a/2", 5).calls()).containsExactly(new WakeCall("s", 1));
    assertThat(world.acked("s", "a/2")).isEqualTo(Offset.ZERO);
    assertThat(world.appended("b", 5).changes()).isEmpty();
  }

  @Test
  void anEmptyStreamWakesNobody() {
    world.put("s", webhook("a/*"));
    assertThat(world.appended("a/2", 0).calls()).isEmpty();
    assertThat(world.sub("s").links()).hasSize(1);
  }

  @Test
  void theSameAgainIsConfirmedAnythingElseIsNot() {
    world.put("s", webhook("a/*"));
    DecisionStep again = world.step();
    assertThat(((SubscriptionReply.Described) world.put(again, "s", webhook("a/*"))).created())
        .isFalse();
    assertThat(again.changes()).isEmpty();
    assertThat(code(world.put("s", webhook("b/*"))))
        .isEqualTo(ProtocolCode.SUBSCRIPTION_ALREADY_EXISTS);
    assertThat(world.sub("s").config()).isEqualTo(webhook("a/*"));
  }

  @Test
  void aServerThatMovedIsFoundAtItsNewAddress() {
    world.put("s", webhook("a/*"));
    world
        .rules
        .membership()
        .confirm(world.step(), "s", webhook("a/*"), "https://new", world.views());
    assertThat(world.sub("s").base()).isEqualTo("https://new");
  }

  @Test
  void aNamedStreamThatIsNotThereIsWaitedFor() {
    world.put("s", named("x"));
    assertThat(world.sub("s").links().get(path("x"))).isNotNull();
    assertThat(world.appended("x", 3).calls()).hasSize(1);
  }

  @Test
  void onlyTheNamedLinkIsRemoved() {
    world.append("a/1", 10);
    world.put("s", webhook("a/*"));
    world
        .rules
        .membership()
        .add(world.step(), "s", List.of(path("a/1"), path("b")), Map.copyOf(world.streams));
    assertThat(world.link("s", "a/1").explicit()).isTrue();
    world.rules.membership().remove(world.step(), "s", path("a/1"));
    world.rules.membership().remove(world.step(), "s", path("b"));
    world.rules.membership().remove(world.step(), "s", path("never"));
    assertThat(world.sub("s").links().keySet()).containsExactly(path("a/1"));
    assertThat(world.link("s", "a/1").explicit()).isFalse();
    assertThat(world.acked("s", "a/1")).isEqualTo(new Offset(10));
  }

  @Test
  void aStreamThatBeginsAnewIsFollowedAnew() {
    world.append("a/1", 10);
    world.put("s", webhook("a/*"));
    world.streams.remove(path("a/1"));
    world.append("a/1", 4); // the deletion of the old one was not reported
    assertThat(world.look("a/1").calls()).hasSize(1);
    assertThat(world.acked("s", "a/1")).isEqualTo(Offset.ZERO);
  }

  @Test
  void aStreamThatGoesIsForgottenUnlessItWasNamed() {
    world.append("a/1", 10);
    world.append("x", 10);
    world.put("s", webhook("a/*"));
    world.put("t", named("x"));
    world.deleted("a/1");
    world.deleted("x");
    assertThat(world.sub("s").links()).isEmpty();
    assertThat(world.acked("t", "x")).isEqualTo(Offset.ZERO);
    assertThat(world.appended("x", 1).calls()).hasSize(1);
  }

  @Test
  void aWakeStreamDoesNotWakeItsOwnSubscription() {
    world.append("wake", 1);
    world.put("s", World.pull("**"));
    assertThat(world.sub("s").links()).isEmpty();
    assertThat(world.appended("wake", 1).changes()).isEmpty();
    assertThat(
            code(world.rules.membership().add(world.step(), "s", List.of(path("wake")), Map.of())))
        .isEqualTo(ProtocolCode.INVALID_REQUEST);
  }

  @Test
  void aDeletedSubscriptionIsGoneAndItsGenerationsAreNotUsedAgain() {
    world.put("s", webhook("a/*"));
    world.appended("a/1", 1);
    WakeClaim old = world.hold("s");
    world.rules.membership().delete(world.step(), "s");
    assertThat(world.table.find("s")).isEmpty();
    assertThat(world.rules.holding().ack(world.step(), "s", old, List.of(), true, true))
        .isEqualTo(SubscriptionReply.missing());
    world.put("s", webhook("a/*"));
    world.appended("a/1", 1);
    assertThat(world.wake("s").generation()).isGreaterThan(old.generation());
    assertThat(code(world.ack("s", old, true, ack("a/1", 2)))).isEqualTo(ProtocolCode.FENCED);
  }

  @Test
  void limitsAreKeptAndNamed() {
    SubscriptionLimits d = SubscriptionLimits.defaults();
    SubscriptionLimits small =
        new SubscriptionLimits(
            2, 2, 3, 1, 1, 1, 1, Duration.ofSeconds(1), Duration.ofSeconds(1), 1, d.logBytes());
    World tight = new World(small, 1);
    tight.append("a/1", 1);
    tight.append("a/2", 1);
    tight.append("a/3", 1);
    DecisionStep refused = tight.step();
    assertThat(code(tight.put(refused, "s", webhook("a/*")))).isEqualTo(ProtocolCode.LIMIT_REACHED);
    assertThat(refused.changes()).isEmpty();
    tight.streams.remove(path("a/3"));
    tight.put("s", webhook("a/*"));
    tight.appended("a/3", 1);
    assertThat(tight.sub("s").links()).hasSize(2);
    assertThat(tight.sub("s").now().full()).isTrue();
    tight.put("t", named("x"));
    assertThat(code(tight.put("u", named("y")))).isEqualTo(ProtocolCode.LIMIT_REACHED);
    assertThat(code(tight.rules.membership().add(tight.step(), "t", List.of(path("y")), Map.of())))
        .isEqualTo(ProtocolCode.LIMIT_REACHED);
    assertThat(tight.rules.membership().hasRoom(tight.table, tight.sub("t"))).isFalse();
  }

  @Test
  void whatIsStillHiddenIsDroppedAfterAReplay() {
    SubscriptionTable table = new SubscriptionTable();
    table.apply(new SubscriptionChange.Put("s", webhook("a/*"), World.BASE, 1, 0));
    table.apply(new SubscriptionChange.Linked("s", path("a/1"), false, 1, Offset.ZERO));
    table.dropHidden();
    assertThat(table.size()).isZero();
    assertThat(table.interests().links()).isZero();
    assertThat(table.interests().in(path("a/1"))).isEmpty();
    assertThat(Optional.ofNullable(table.get("s"))).isEmpty();
  }
}

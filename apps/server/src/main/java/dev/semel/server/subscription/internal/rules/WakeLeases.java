package dev.semel.server.subscription.internal.rules;

import dev.semel.stream.Offset;
import dev.semel.stream.StreamPath;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Decides claims of wakes, and their holders' requests. A wake has one holder at most, ever. */
public final class WakeLeases {
  private final WakeSchedule wakes;

  WakeLeases(WakeSchedule wakes) {
    this.wakes = wakes;
  }

  /** Streams to look up before a claim is refused for want of work. */
  public static Set<StreamPath> doubtful(SubscriptionTable table, String id) {
    return table
        .find(id)
        .filter(s -> s.pending().isEmpty())
        .map(s -> Set.copyOf(s.links().keySet()))
        .orElse(Set.of());
  }

  public SubscriptionReply claim(
      DecisionStep step, String id, String worker, SubscriptionViews views) {
    Subscription s = step.table().get(id);
    if (s == null) {
      return SubscriptionReply.missing();
    }
    if (!(s.config().delivery() instanceof WakeDelivery.PullWake)) {
      return notPulled();
    }
    Optional<Wake> wake = s.wake();
    if (wake.filter(Wake::claimed).isPresent()) {
      return new SubscriptionReply.Busy(wake.get().worker(), wake.get().generation());
    }
    if (s.pending().isEmpty()) {
      // The workers that were notified of this wake have been here: the next work needs a new wake.
      wake.ifPresent(w -> wakes.end(step, s));
      return new SubscriptionReply.Refused(
          ProtocolCode.NO_PENDING_WORK,
          "nothing is pending: wait for the next event on the wake stream");
    }
    if (wake.isEmpty()) {
      wakes.wake(step, s);
    }
    step.add(new SubscriptionChange.Claimed(id, worker));
    wakes.lease(step, s);
    return new SubscriptionReply.Granted(views.claim(s));
  }

  private static SubscriptionReply notPulled() {
    return SubscriptionReply.invalid("the subscription is served by webhook: use its callback");
  }

  /** Streams to look up before an acknowledgement is refused as beyond the end. */
  public static Set<StreamPath> beyond(
      SubscriptionTable table, String id, List<SubscriptionAck> acks) {
    return table
        .find(id)
        .map(
            s ->
                acks.stream()
                    .filter(ack -> beyond(s.link(ack.path()), ack))
                    .map(SubscriptionAck::path)
                    .collect(Collectors.toUnmodifiableSet()))
        .orElse(Set.of());
  }

  private static boolean beyond(@Nullable FollowedStream link, SubscriptionAck ack) {
    return link != null && ack.offset().filter(o -> o.compareTo(link.tail()) > 0).isPresent();
  }

  /**
   * Takes acknowledgements and renews the lease; with {@code done} it ends the wake.
   *
   * @param webhook whether this came as a webhook's callback
   */
  public SubscriptionReply ack(
      DecisionStep step,
      String id,
      WakeClaim hold,
      List<SubscriptionAck> acks,
      boolean done,
      boolean webhook) {
    Subscription s = step.table().get(id);
    if (s == null) {
      return SubscriptionReply.missing();
    }
    if (webhook != s.config().delivery() instanceof WakeDelivery.Webhook) {
      return webhook
          ? SubscriptionReply.invalid("the subscription is pulled: use ack or release")
          : notPulled();
    }
    Optional<SubscriptionReply> refused = fenced(s, hold);
    Map<StreamPath, Offset> offsets = new LinkedHashMap<>();
    for (SubscriptionAck ack : refused.isPresent() ? List.<SubscriptionAck>of() : acks) {
      refused = refused.or(() -> check(s, ack, offsets));
    }
    if (refused.isPresent()) {
      return refused.get();
    }
    if (!offsets.isEmpty()) {
      step.add(new SubscriptionChange.Acked(id, offsets));
    }
    if (webhook) {
      WakeSchedule.healthy(step, s);
    }
    if (done) {
      wakes.end(step, s);
    } else {
      wakes.lease(step, s);
    }
    return new SubscriptionReply.Taken(done && s.wake().isPresent());
  }

  public SubscriptionReply release(DecisionStep step, String id, WakeClaim hold) {
    Subscription s = step.table().get(id);
    if (s == null) {
      return SubscriptionReply.missing();
    }
    if (!(s.config().delivery() instanceof WakeDelivery.PullWake)) {
      return notPulled();
    }
    Optional<SubscriptionReply> refused = fenced(s, hold);
    if (refused.isPresent()) {
      return refused.get();
    }
    wakes.end(step, s);
    return new SubscriptionReply.Nothing();
  }

  private static Optional<SubscriptionReply> fenced(Subscription s, WakeClaim hold) {
    if (hold.pass().filter(pass -> pass.subscription().equals(s.id())).isEmpty()) {
      return Optional.of(
          new SubscriptionReply.Refused(
              ProtocolCode.TOKEN_INVALID,
              "the token is not one for this subscription: send the one that came with the wake"));
    }
    WakePass pass = hold.pass().get();
    boolean current =
        s.wake()
            .filter(
                w ->
                    w.generation() == pass.generation()
                        && w.id().equals(pass.wake())
                        && w.generation() == hold.generation()
                        && w.id().equals(hold.wake()))
            .isPresent();
    return current
        ? Optional.empty()
        : Optional.of(
            new SubscriptionReply.Refused(
                ProtocolCode.FENCED,
                "the wake is over and another may have it: stop working on it"));
  }

  /** Ignores an acknowledgement of a stream that has gone or begun anew since the wake. */
  private static Optional<SubscriptionReply> check(
      Subscription s, SubscriptionAck ack, Map<StreamPath, Offset> offsets) {
    FollowedStream link = s.link(ack.path());
    if (ack.offset().isEmpty()) {
      return refused("an offset of the stream %s is none", ack);
    }
    Offset offset = ack.offset().get();
    if (s.untold(ack.path()) || (link == null && s.now().buried().contains(ack.path()))) {
      return Optional.empty();
    }
    if (link == null) {
      return refused("the subscription does not follow the stream %s", ack);
    }
    if (offset.compareTo(offsets.getOrDefault(ack.path(), link.acked())) < 0) {
      return refused("the stream %s is done further than that already", ack);
    }
    if (offset.compareTo(link.tail()) > 0) {
      return refused("the stream %s does not go that far", ack);
    }
    offsets.put(ack.path(), offset);
    return Optional.empty();
  }

  private static Optional<SubscriptionReply> refused(String why, SubscriptionAck ack) {
    return Optional.of(
        new SubscriptionReply.Refused(
            ProtocolCode.INVALID_OFFSET,
            (why + ": send an offset that you read there").formatted(ack.path())));
  }
}

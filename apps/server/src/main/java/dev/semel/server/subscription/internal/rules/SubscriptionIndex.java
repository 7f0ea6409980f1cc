package dev.semel.server.subscription.internal.rules;

import dev.semel.server.subscription.SubscriptionLimits;
import dev.semel.stream.Offset;
import dev.semel.stream.StreamPath;
import dev.semel.stream.spi.StreamHead;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Keeps the subscriptions, and the streams that each of them follows. */
public final class SubscriptionIndex {
  private final SubscriptionLimits limits;
  private final WakeSchedule wakes;

  SubscriptionIndex(SubscriptionLimits limits, WakeSchedule wakes) {
    this.limits = limits;
    this.wakes = wakes;
  }

  /** Empty: the subscription does not exist yet. */
  public Optional<SubscriptionReply> confirm(
      DecisionStep step,
      String id,
      SubscriptionConfig config,
      String base,
      SubscriptionViews views) {
    Subscription known = step.table().get(id);
    if (known == null) {
      return Optional.empty();
    }
    if (!known.config().equals(config)) {
      return Optional.of(
          new SubscriptionReply.Refused(
              ProtocolCode.SUBSCRIPTION_ALREADY_EXISTS,
              "the subscription is there with another configuration: use another id, or delete it first"));
    }
    if (!known.base().equals(base)) {
      step.add(new SubscriptionChange.Based(id, base)); // the server has a new address
    }
    return Optional.of(new SubscriptionReply.Described(false, views.subscription(known)));
  }

  /**
   * A new subscription begins at the tails of what is there, and replays nothing.
   *
   * @param seen the current heads of the streams that it will follow
   */
  public SubscriptionReply put(
      DecisionStep step,
      String id,
      SubscriptionConfig config,
      String base,
      Map<StreamPath, StreamHead> seen,
      SubscriptionViews views) {
    Optional<SubscriptionReply> known = confirm(step, id, config, base, views);
    if (known.isPresent()) {
      return known.get();
    }
    long count =
        seen.size() + config.streams().stream().filter(path -> !seen.containsKey(path)).count();
    Optional<SubscriptionReply> refused =
        step.table().size() >= limits.subscriptions()
            ? Optional.of(limit("subscriptions", limits.subscriptions()))
            : room(step, 0, count);
    if (refused.isPresent()) {
      return refused.get();
    }
    step.add(new SubscriptionChange.Put(id, config, base, step.now(), step.table().floor()));
    config.streams().forEach(path -> link(step, id, path, true, seen.get(path)));
    seen.forEach(
        (path, head) -> {
          if (!config.streams().contains(path)) {
            link(step, id, path, false, head);
          }
        });
    step.add(new SubscriptionChange.Opened(id));
    return step.table()
        .find(id)
        .<SubscriptionReply>map(s -> new SubscriptionReply.Described(true, views.subscription(s)))
        .orElseGet(SubscriptionReply::missing);
  }

  private static void link(
      DecisionStep step, String id, StreamPath path, boolean explicit, @Nullable StreamHead head) {
    step.add(
        head == null
            ? new SubscriptionChange.Linked(id, path, explicit, 0, Offset.ZERO)
            : new SubscriptionChange.Linked(id, path, explicit, head.incarnation(), head.tail()));
  }

  public SubscriptionLimits limits() {
    return limits;
  }

  public boolean hasRoom(SubscriptionTable table, Subscription s) {
    return s.links().size() < limits.streamsPerSubscription()
        && table.interests().links() < limits.links();
  }

  private Optional<SubscriptionReply> room(DecisionStep step, long have, long more) {
    if (have + more > limits.streamsPerSubscription()) {
      return Optional.of(limit("streams per subscription", limits.streamsPerSubscription()));
    }
    return step.table().interests().links() + more > limits.links()
        ? Optional.of(limit("streams of all subscriptions", limits.links()))
        : Optional.empty();
  }

  private static SubscriptionReply limit(String name, long max) {
    return new SubscriptionReply.Refused(
        ProtocolCode.LIMIT_REACHED,
        "the limit of %d %s is reached: follow fewer, or raise it".formatted(max, name));
  }

  public SubscriptionReply add(
      DecisionStep step,
      String id,
      Collection<StreamPath> paths,
      Map<StreamPath, StreamHead> seen) {
    Subscription s = step.table().get(id);
    if (s == null) {
      return SubscriptionReply.missing();
    }
    if (paths.stream().anyMatch(s.config()::isWakeStream)) {
      return SubscriptionReply.invalid(
          "a subscription can't follow its own wake stream: leave it out");
    }
    long more = paths.stream().distinct().filter(path -> s.link(path) == null).count();
    Optional<SubscriptionReply> refused = room(step, s.links().size(), more);
    if (refused.isPresent()) {
      return refused.get();
    }
    for (StreamPath path : paths) {
      FollowedStream link = s.link(path);
      if (link == null) {
        link(step, id, path, true, seen.get(path));
      } else if (!link.explicit()) {
        step.add(new SubscriptionChange.Linked(id, path, true, link.incarnation(), link.acked()));
      }
    }
    return new SubscriptionReply.Nothing();
  }

  /** Removes only a link that was named; what the pattern finds stays. */
  public SubscriptionReply remove(DecisionStep step, String id, StreamPath path) {
    Subscription s = step.table().get(id);
    if (s == null) {
      return SubscriptionReply.missing();
    }
    FollowedStream link = s.link(path);
    if (link != null && link.explicit()) {
      boolean stays = link.incarnation() != 0 && s.config().matches(path);
      step.add(
          stays
              ? new SubscriptionChange.Linked(id, path, false, link.incarnation(), link.acked())
              : new SubscriptionChange.Unlinked(id, path));
    }
    return new SubscriptionReply.Nothing();
  }

  public SubscriptionReply delete(DecisionStep step, String id) {
    if (step.table().get(id) != null) {
      step.add(new SubscriptionChange.Removed(id));
    }
    return new SubscriptionReply.Nothing();
  }

  /**
   * Records that a stream is there, and its tail. A stream that was not there when a subscription
   * began is followed from its start, whatever we missed of it.
   */
  public void observe(DecisionStep step, StreamHead head) {
    StreamPath path = head.path();
    for (Subscription s : step.table().interests().in(path)) {
      FollowedStream link = s.link(path);
      if (link == null && !hasRoom(step.table(), s)) {
        s.now().full(true);
        continue;
      }
      if (link == null || link.incarnation() != head.incarnation()) {
        boolean explicit = link != null && link.explicit();
        step.add(
            new SubscriptionChange.Linked(s.id(), path, explicit, head.incarnation(), Offset.ZERO));
      }
      s.saw(path, head.incarnation(), head.tail());
      wakes.wakeIfDue(step, s);
    }
  }

  /** Records that there is no stream on this path. A link that was named waits for the next one. */
  public void gone(DecisionStep step, StreamPath path) {
    for (Subscription s : step.table().interests().linkedTo(path)) {
      FollowedStream link = s.link(path);
      if (link != null && !link.explicit()) {
        step.add(new SubscriptionChange.Unlinked(s.id(), path));
      } else if (link != null && link.incarnation() != 0) {
        step.add(new SubscriptionChange.Linked(s.id(), path, true, 0, Offset.ZERO));
      }
    }
  }
}

package dev.semel.server.subscription;

import dev.semel.stream.Offset;
import dev.semel.stream.StreamPath;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Who holds a wake, and what the holder may say. A wake has one holder at most, ever. */
final class Holding {
  private final Wakes wakes;

  Holding(Wakes wakes) {
    this.wakes = wakes;
  }

  /** Streams to look at before a claim is refused for want of work. */
  static Set<StreamPath> doubtful(Table table, String id) {
    return table
        .find(id)
        .filter(s -> s.pending().isEmpty())
        .map(s -> Set.copyOf(s.links().keySet()))
        .orElse(Set.of());
  }

  Reply claim(Step step, String id, String worker, Views views) {
    Subscription s = step.table().get(id);
    if (s == null) {
      return Reply.missing();
    }
    if (!(s.config().delivery() instanceof Delivery.PullWake)) {
      return notPulled();
    }
    Optional<Wake> wake = s.wake();
    if (wake.filter(Wake::claimed).isPresent()) {
      return new Reply.Busy(wake.get().worker(), wake.get().generation());
    }
    if (s.pending().isEmpty()) {
      // Whoever was told of this wake has been here: the next work needs a wake of its own.
      wake.ifPresent(w -> wakes.end(step, s));
      return new Reply.Refused(
          Code.NO_PENDING_WORK, "nothing is pending: wait for the next event on the wake stream");
    }
    if (wake.isEmpty()) {
      wakes.wake(step, s);
    }
    step.add(new Change.Claimed(id, worker));
    wakes.lease(step, s);
    return new Reply.Granted(views.claim(s));
  }

  private static Reply notPulled() {
    return Reply.invalid("the subscription is served by webhook: use its callback");
  }

  /** Streams to look at before an acknowledgement is refused as beyond the end. */
  static Set<StreamPath> beyond(Table table, String id, List<Ack> acks) {
    return table
        .find(id)
        .map(
            s ->
                acks.stream()
                    .filter(ack -> beyond(s.link(ack.path()), ack))
                    .map(Ack::path)
                    .collect(Collectors.toUnmodifiableSet()))
        .orElse(Set.of());
  }

  private static boolean beyond(@Nullable Link link, Ack ack) {
    return link != null && ack.offset().filter(o -> o.compareTo(link.tail()) > 0).isPresent();
  }

  /**
   * Takes acknowledgements and keeps the lease alive; done, it ends the wake.
   *
   * @param webhook whether this came as a webhook's callback
   */
  Reply ack(Step step, String id, Hold hold, List<Ack> acks, boolean done, boolean webhook) {
    Subscription s = step.table().get(id);
    if (s == null) {
      return Reply.missing();
    }
    if (webhook != s.config().delivery() instanceof Delivery.Webhook) {
      return webhook
          ? Reply.invalid("the subscription is pulled: use ack or release")
          : notPulled();
    }
    Optional<Reply> refused = fenced(s, hold);
    Map<StreamPath, Offset> offsets = new LinkedHashMap<>();
    for (Ack ack : refused.isPresent() ? List.<Ack>of() : acks) {
      refused = refused.or(() -> check(s, ack, offsets));
    }
    if (refused.isPresent()) {
      return refused.get();
    }
    if (!offsets.isEmpty()) {
      step.add(new Change.Acked(id, offsets));
    }
    if (webhook) {
      Wakes.healthy(step, s);
    }
    if (done) {
      wakes.end(step, s);
    } else {
      wakes.lease(step, s);
    }
    return new Reply.Taken(done && s.wake().isPresent());
  }

  Reply release(Step step, String id, Hold hold) {
    Subscription s = step.table().get(id);
    if (s == null) {
      return Reply.missing();
    }
    if (!(s.config().delivery() instanceof Delivery.PullWake)) {
      return notPulled();
    }
    Optional<Reply> refused = fenced(s, hold);
    if (refused.isPresent()) {
      return refused.get();
    }
    wakes.end(step, s);
    return new Reply.Nothing();
  }

  private static Optional<Reply> fenced(Subscription s, Hold hold) {
    if (hold.pass().filter(pass -> pass.subscription().equals(s.id())).isEmpty()) {
      return Optional.of(
          new Reply.Refused(
              Code.TOKEN_INVALID,
              "the token is not one for this subscription: send the one that came with the wake"));
    }
    Pass pass = hold.pass().get();
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
            new Reply.Refused(
                Code.FENCED, "the wake is over and another may have it: stop working on it"));
  }

  /** What is said of a stream that has gone or begun anew since the wake counts for nothing. */
  private static Optional<Reply> check(Subscription s, Ack ack, Map<StreamPath, Offset> offsets) {
    Link link = s.link(ack.path());
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

  private static Optional<Reply> refused(String why, Ack ack) {
    return Optional.of(
        new Reply.Refused(
            Code.INVALID_OFFSET,
            (why + ": send an offset that you read there").formatted(ack.path())));
  }
}

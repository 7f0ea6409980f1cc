package dev.semel.server.subscription.internal.rules;

import dev.semel.stream.Offset;
import dev.semel.stream.StreamPath;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The state of one subscription. Its stored part changes only by {@link #apply}; only this process
 * knows the tails and {@link #now}.
 */
public final class Subscription {
  private final String id;
  private final SubscriptionConfig config;
  private final long createdAt;
  private final NavigableMap<StreamPath, FollowedStream> links = new TreeMap<>();

  /** In the order in which they became pending, so that none waits forever. */
  private final Set<StreamPath> pending = new LinkedHashSet<>();

  /**
   * Streams that began after the holder was notified: its acknowledgements of that path mean an
   * older stream.
   */
  private final Set<StreamPath> untold = new HashSet<>();

  private final InProcess now = new InProcess();
  private String base;
  private long generation;
  private boolean opened;
  private @Nullable Wake wake;
  private int failures;
  private long nextAttempt;

  Subscription(SubscriptionChange.Put put) {
    this.id = put.id();
    this.config = put.config();
    this.createdAt = put.at();
    this.base = put.base();
    this.generation = put.generation();
  }

  void apply(SubscriptionChange.Of change) {
    switch (change) {
      case SubscriptionChange.Opened c -> opened = true;
      case SubscriptionChange.Based c -> base = c.base();
      case SubscriptionChange.Linked c -> link(c);
      case SubscriptionChange.Unlinked c -> unlink(c.path());
      case SubscriptionChange.Woken c -> {
        generation = c.generation();
        told(new Wake(c.generation(), c.wake(), c.at(), c.snapshot(), "", false));
      }
      case SubscriptionChange.Claimed c -> told(inFlight().claimedBy(c.worker()));
      case SubscriptionChange.Accepted c -> wake = inFlight().acceptedNow();
      case SubscriptionChange.Acked c -> c.offsets().forEach(this::acked);
      case SubscriptionChange.Tried c -> {
        failures = c.failures();
        nextAttempt = c.next();
      }
      case SubscriptionChange.Ended c -> {
        told(null);
        now.ended();
      }
      case SubscriptionChange.Put c ->
          throw new IllegalStateException("not for one that is there: " + c);
      case SubscriptionChange.Removed c ->
          throw new IllegalStateException("not for one that goes on: " + c);
    }
  }

  /** Clears what the last holder did not know, because a new holder knows all current streams. */
  private void told(@Nullable Wake next) {
    wake = next;
    untold.clear();
    now.buried().clear();
  }

  private void link(SubscriptionChange.Linked change) {
    StreamPath path = change.path();
    FollowedStream known = links.get(path);
    Offset tail = change.acked();
    if (known != null && known.incarnation() == change.incarnation()) {
      tail = known.tail();
    } else if (wake != null) {
      untold.add(path);
    }
    set(path, new FollowedStream(change.explicit(), change.incarnation(), change.acked(), tail));
  }

  private void unlink(StreamPath path) {
    links.remove(path);
    pending.remove(path);
    untold.remove(path);
    if (wake != null) {
      now.bury(path);
    }
  }

  private void acked(StreamPath path, Offset offset) {
    FollowedStream link = links.get(path);
    if (link != null) {
      set(path, link.withAcked(offset));
    }
  }

  private void set(StreamPath path, FollowedStream link) {
    links.put(path, link);
    if (link.pending()) {
      pending.add(path);
    } else {
      pending.remove(path);
    }
  }

  /** Updates a stream's tail, if this is the stream that is linked. */
  void saw(StreamPath path, long incarnation, Offset tail) {
    FollowedStream link = links.get(path);
    if (link != null && link.incarnation() == incarnation) {
      set(path, link.withTail(tail));
    }
  }

  public String id() {
    return id;
  }

  public SubscriptionConfig config() {
    return config;
  }

  long createdAt() {
    return createdAt;
  }

  String base() {
    return base;
  }

  long generation() {
    return generation;
  }

  boolean opened() {
    return opened;
  }

  public Optional<Wake> wake() {
    return Optional.ofNullable(wake);
  }

  private Wake inFlight() {
    if (wake == null) {
      throw new IllegalStateException("no wake is in flight for " + id);
    }
    return wake;
  }

  public boolean inFlight(long ofGeneration) {
    return wake != null && wake.generation() == ofGeneration;
  }

  int failures() {
    return failures;
  }

  long nextAttempt() {
    return nextAttempt;
  }

  public NavigableMap<StreamPath, FollowedStream> links() {
    return Collections.unmodifiableNavigableMap(links);
  }

  public Set<StreamPath> pending() {
    return Collections.unmodifiableSet(pending);
  }

  public boolean untold(StreamPath path) {
    return untold.contains(path);
  }

  public InProcess now() {
    return now;
  }

  @Nullable
  public FollowedStream link(StreamPath path) {
    return links.get(path);
  }

  /** Everything that is stored. */
  private List<Object> facts() {
    return List.of(
        List.of(id, config, createdAt, base, generation, opened),
        links.entrySet().stream().map(Subscription::facts).toList(),
        untold,
        wake(),
        List.of(failures, nextAttempt));
  }

  private static List<Object> facts(Map.Entry<StreamPath, FollowedStream> entry) {
    FollowedStream link = entry.getValue();
    return List.of(entry.getKey(), link.explicit(), link.incarnation(), link.acked());
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Subscription s && facts().equals(s.facts());
  }

  @Override
  public int hashCode() {
    return id.hashCode();
  }

  @Override
  public String toString() {
    return facts().toString();
  }
}

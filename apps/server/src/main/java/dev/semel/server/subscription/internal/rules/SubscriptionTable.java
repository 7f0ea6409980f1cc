package dev.semel.server.subscription.internal.rules;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * All subscriptions, and the keys that go with them. Belongs to the one context that decides; the
 * same changes in the same order give an equal table.
 */
public final class SubscriptionTable {
  private final Map<String, Subscription> all = new TreeMap<>();
  private final StreamInterests interests = new StreamInterests();
  private KeyRing keys = KeyRing.EMPTY;
  private String secret = "";
  private long floor;

  public void apply(SubscriptionChange change) {
    switch (change) {
      case SubscriptionChange.Secret c -> secret = c.base64();
      case SubscriptionChange.Key c -> keys = keys.with(c.key());
      case SubscriptionChange.Floor c -> floor = Math.max(floor, c.generation());
      case SubscriptionChange.Put c -> {
        drop(c.id());
        Subscription added = new Subscription(c);
        all.put(c.id(), added);
        interests.add(added);
      }
      case SubscriptionChange.Removed c -> {
        floor = Math.max(floor, of(c).generation());
        drop(c.id());
      }
      case SubscriptionChange.Linked c -> {
        of(c).apply(c);
        interests.link(c.path(), of(c));
      }
      case SubscriptionChange.Unlinked c -> {
        of(c).apply(c);
        interests.unlink(c.path(), of(c));
      }
      case SubscriptionChange.Of c -> of(c).apply(c);
    }
  }

  private Subscription of(SubscriptionChange.Of change) {
    Subscription found = all.get(change.id());
    if (found == null) {
      throw new IllegalStateException("no subscription for " + change);
    }
    return found;
  }

  private void drop(String id) {
    Subscription gone = all.remove(id);
    if (gone != null) {
      interests.remove(gone);
    }
  }

  /** Drops hidden subscriptions after a replay: their creators never got an answer. */
  public void dropHidden() {
    List.copyOf(all.values()).stream().filter(s -> !s.opened()).forEach(s -> drop(s.id()));
  }

  /** Changes that lead from nothing to this. */
  public List<SubscriptionChange> whole() {
    List<SubscriptionChange> changes = new ArrayList<>();
    changes.add(new SubscriptionChange.Secret(secret));
    keys.keys().forEach(key -> changes.add(new SubscriptionChange.Key(key)));
    changes.add(new SubscriptionChange.Floor(floor));
    all.values().forEach(s -> whole(s, changes));
    return changes;
  }

  private static void whole(Subscription s, List<SubscriptionChange> changes) {
    String id = s.id();
    changes.add(
        new SubscriptionChange.Put(id, s.config(), s.base(), s.createdAt(), s.generation()));
    links(s, false, changes);
    if (s.failures() > 0) {
      changes.add(new SubscriptionChange.Tried(id, s.failures(), s.nextAttempt()));
    }
    s.wake().ifPresent(wake -> wake(id, wake, changes));
    links(s, true, changes);
    if (s.opened()) {
      changes.add(new SubscriptionChange.Opened(id));
    }
  }

  private static void wake(String id, Wake wake, List<SubscriptionChange> changes) {
    changes.add(
        new SubscriptionChange.Woken(id, wake.generation(), wake.id(), wake.at(), wake.snapshot()));
    if (wake.claimed()) {
      changes.add(new SubscriptionChange.Claimed(id, wake.worker()));
    }
    if (wake.accepted()) {
      changes.add(new SubscriptionChange.Accepted(id));
    }
  }

  private static void links(Subscription s, boolean untold, List<SubscriptionChange> changes) {
    s.links()
        .forEach(
            (path, link) -> {
              if (s.untold(path) == untold) {
                changes.add(
                    new SubscriptionChange.Linked(
                        s.id(), path, link.explicit(), link.incarnation(), link.acked()));
              }
            });
  }

  public Optional<Subscription> find(String id) {
    return Optional.ofNullable(get(id));
  }

  @Nullable
  public Subscription get(String id) {
    return all.get(id);
  }

  public Collection<Subscription> all() {
    return Collections.unmodifiableCollection(all.values());
  }

  public int size() {
    return all.size();
  }

  public StreamInterests interests() {
    return interests;
  }

  public KeyRing keys() {
    return keys;
  }

  public String secret() {
    return secret;
  }

  long floor() {
    return floor;
  }

  private List<Object> facts() {
    return List.of(all, keys, secret, floor);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SubscriptionTable t && facts().equals(t.facts());
  }

  @Override
  public int hashCode() {
    return all.hashCode();
  }
}

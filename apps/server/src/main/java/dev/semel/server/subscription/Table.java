package dev.semel.server.subscription;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * All subscriptions and the keys that go with them. Belongs to the one context that decides;
 * applying the same changes in the same order gives an equal table.
 */
final class Table {
  private final Map<String, Subscription> all = new TreeMap<>();
  private final Interests interests = new Interests();
  private KeyRing keys = KeyRing.EMPTY;
  private String secret = "";
  private long floor;

  void apply(Change change) {
    switch (change) {
      case Change.Secret c -> secret = c.base64();
      case Change.Key c -> keys = keys.with(c.key());
      case Change.Floor c -> floor = Math.max(floor, c.generation());
      case Change.Put c -> {
        drop(c.id());
        Subscription added = new Subscription(c);
        all.put(c.id(), added);
        interests.add(added);
      }
      case Change.Removed c -> {
        floor = Math.max(floor, of(c).generation());
        drop(c.id());
      }
      case Change.Linked c -> {
        of(c).apply(c);
        interests.link(c.path(), of(c));
      }
      case Change.Unlinked c -> {
        of(c).apply(c);
        interests.unlink(c.path(), of(c));
      }
      case Change.Of c -> of(c).apply(c);
    }
  }

  private Subscription of(Change.Of change) {
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

  /** After a replay: whoever asked for what is still hidden never got an answer. */
  void dropHidden() {
    List.copyOf(all.values()).stream().filter(s -> !s.opened()).forEach(s -> drop(s.id()));
  }

  /** Changes that lead from nothing to this. */
  List<Change> whole() {
    List<Change> changes = new ArrayList<>();
    changes.add(new Change.Secret(secret));
    keys.keys().forEach(key -> changes.add(new Change.Key(key)));
    changes.add(new Change.Floor(floor));
    all.values().forEach(s -> whole(s, changes));
    return changes;
  }

  private static void whole(Subscription s, List<Change> changes) {
    String id = s.id();
    changes.add(new Change.Put(id, s.config(), s.base(), s.createdAt(), s.generation()));
    links(s, false, changes);
    if (s.failures() > 0) {
      changes.add(new Change.Tried(id, s.failures(), s.nextAttempt()));
    }
    s.wake().ifPresent(wake -> wake(id, wake, changes));
    links(s, true, changes);
    if (s.opened()) {
      changes.add(new Change.Opened(id));
    }
  }

  private static void wake(String id, Wake wake, List<Change> changes) {
    changes.add(new Change.Woken(id, wake.generation(), wake.id(), wake.at(), wake.snapshot()));
    if (wake.claimed()) {
      changes.add(new Change.Claimed(id, wake.worker()));
    }
    if (wake.accepted()) {
      changes.add(new Change.Accepted(id));
    }
  }

  private static void links(Subscription s, boolean untold, List<Change> changes) {
    s.links()
        .forEach(
            (path, link) -> {
              if (s.untold(path) == untold) {
                changes.add(
                    new Change.Linked(
                        s.id(), path, link.explicit(), link.incarnation(), link.acked()));
              }
            });
  }

  Optional<Subscription> find(String id) {
    return Optional.ofNullable(get(id));
  }

  @Nullable Subscription get(String id) {
    return all.get(id);
  }

  Collection<Subscription> all() {
    return Collections.unmodifiableCollection(all.values());
  }

  int size() {
    return all.size();
  }

  Interests interests() {
    return interests;
  }

  KeyRing keys() {
    return keys;
  }

  String secret() {
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
    return other instanceof Table t && facts().equals(t.facts());
  }

  @Override
  public int hashCode() {
    return all.hashCode();
  }
}

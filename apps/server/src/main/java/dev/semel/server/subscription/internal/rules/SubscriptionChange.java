package dev.semel.server.subscription.internal.rules;

import dev.semel.stream.Offset;
import dev.semel.stream.StreamPath;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A stored change. Any first part of a decision's changes must leave a valid state, because a crash
 * may cut between them.
 */
public sealed interface SubscriptionChange {
  /** The secret that signs callback tokens. */
  record Secret(String base64) implements SubscriptionChange {
    @Override
    public String toString() {
      return "Secret";
    }
  }

  /** The key that signs webhooks from now on. */
  record Key(SigningKey key) implements SubscriptionChange {}

  /** No subscription's generation begins below this. */
  record Floor(long generation) implements SubscriptionChange {}

  /** A change of one subscription. */
  sealed interface Of extends SubscriptionChange {
    String id();
  }

  /**
   * A new subscription, still hidden: it counts only with {@link Opened}, when all its links are
   * there.
   *
   * @param base prefix of its callback addresses
   * @param generation the last one that must not be used again
   */
  record Put(String id, SubscriptionConfig config, String base, long at, long generation)
      implements Of {}

  record Opened(String id) implements Of {}

  record Based(String id, String base) implements Of {}

  /** Sets the link, whatever it was before. */
  record Linked(String id, StreamPath path, boolean explicit, long incarnation, Offset acked)
      implements Of {}

  record Unlinked(String id, StreamPath path) implements Of {}

  record Woken(String id, long generation, String wake, long at, Map<StreamPath, Offset> snapshot)
      implements Of {
    public Woken {
      snapshot = Collections.unmodifiableMap(new LinkedHashMap<>(snapshot));
    }
  }

  record Claimed(String id, String worker) implements Of {}

  record Accepted(String id) implements Of {}

  record Acked(String id, Map<StreamPath, Offset> offsets) implements Of {
    public Acked {
      offsets = Collections.unmodifiableMap(new LinkedHashMap<>(offsets));
    }
  }

  /**
   * The result of a delivery.
   *
   * @param failures in a row
   * @param next not before this time; 0: at once
   */
  record Tried(String id, int failures, long next) implements Of {}

  /** The wake in flight is over. */
  record Ended(String id) implements Of {}

  record Removed(String id) implements Of {}
}

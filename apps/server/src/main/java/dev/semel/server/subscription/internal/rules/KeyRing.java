package dev.semel.server.subscription.internal.rules;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The signing keys, oldest first. The last one signs. A replaced key is still shown for a while,
 * because receivers may yet check its signatures.
 */
public record KeyRing(List<SigningKey> keys) {
  static final KeyRing EMPTY = new KeyRing(List.of());

  /** How long a replaced key is shown. Receivers refuse signatures long before that. */
  static final Duration REPLAY_WINDOW = Duration.ofHours(1);

  /** Limit of keys that are shown at a time. */
  public static final int MAX_KEYS = 8;

  public KeyRing {
    keys = List.copyOf(keys);
  }

  KeyRing with(SigningKey key) {
    List<SigningKey> kept = new ArrayList<>(published(key.at()));
    kept.add(key);
    return new KeyRing(kept);
  }

  public SigningKey active() {
    return keys.getLast();
  }

  public List<SigningKey> published(long now) {
    List<SigningKey> shown = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      boolean last = i == keys.size() - 1;
      if (last || now < keys.get(i + 1).at() + REPLAY_WINDOW.toMillis()) {
        shown.add(keys.get(i));
      }
    }
    return shown;
  }
}

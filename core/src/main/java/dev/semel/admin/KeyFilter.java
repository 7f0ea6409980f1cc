package dev.semel.admin;

import dev.semel.idempotency.spi.KeyEntry;
import java.util.Locale;
import java.util.Set;

/**
 * Which records.
 *
 * @param prefix how the key's text begins; empty: anyhow
 * @param text what stands somewhere in the key's text, in whichever case; empty: anything
 * @param states empty: all
 */
public record KeyFilter(String prefix, String text, Set<KeyState> states) {
  public static final KeyFilter ALL = new KeyFilter("", "", Set.of());

  public KeyFilter {
    text = text.toLowerCase(Locale.ROOT);
    states = Set.copyOf(states);
  }

  public static KeyFilter startingWith(String prefix) {
    return new KeyFilter(prefix, "", Set.of());
  }

  /** Whether the store's own listing by prefix says it all. */
  public boolean byPrefixAlone() {
    return text.isEmpty() && states.isEmpty();
  }

  /** Whether a record that the prefix chose is meant. */
  boolean takes(KeyEntry entry) {
    return (states.isEmpty() || states.contains(KeyState.of(entry)))
        && (text.isEmpty() || entry.key().text().toLowerCase(Locale.ROOT).contains(text));
  }

  /** For the trail. */
  @Override
  public String toString() {
    return "prefix=%s text=%s states=%s".formatted(prefix, text, states);
  }
}

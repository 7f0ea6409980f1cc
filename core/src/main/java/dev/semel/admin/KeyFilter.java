package dev.semel.admin;

import dev.semel.idempotency.spi.KeyEntry;
import java.util.Locale;
import java.util.Set;

/**
 * Selects records of a listing.
 *
 * @param prefix how the key's text begins; empty: any
 * @param text a part of the key's text, in upper or lower case; empty: any
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

  /** Whether the store's listing by prefix is enough. */
  public boolean byPrefixAlone() {
    return text.isEmpty() && states.isEmpty();
  }

  /** Whether this filter selects a record that has its prefix. */
  boolean takes(KeyEntry entry) {
    return (states.isEmpty() || states.contains(KeyState.of(entry)))
        && (text.isEmpty() || entry.key().text().toLowerCase(Locale.ROOT).contains(text));
  }

  /** For the audit line. */
  @Override
  public String toString() {
    return "prefix=%s text=%s states=%s".formatted(prefix, text, states);
  }
}

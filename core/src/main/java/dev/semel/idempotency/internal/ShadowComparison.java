package dev.semel.idempotency.internal;

import dev.semel.event.Event.StrategiesDiffer.Difference;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Compares two strategies on live requests: they differ where one sees a duplicate and the other
 * does not. It remembers only the latest requests of this process, so it may miss differences but
 * never invents one.
 */
public final class ShadowComparison {
  /** How many requests are remembered. */
  static final int MAX_REMEMBERED = 10_000;

  private final Map<String, String> shadowOf = remembering();
  private final Map<String, String> currentOf = remembering();

  private static Map<String, String> remembering() {
    return new LinkedHashMap<>() {
      private static final long serialVersionUID = 1L;

      @Override
      protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
        return size() > MAX_REMEMBERED;
      }
    };
  }

  /** Compares the ids of one request under both strategies with those of earlier requests. */
  public synchronized Optional<Difference> compare(String current, String shadow) {
    String shadowBefore = shadowOf.putIfAbsent(current, shadow);
    String currentBefore = currentOf.putIfAbsent(shadow, current);
    if (shadowBefore != null && !shadowBefore.equals(shadow)) {
      return Optional.of(Difference.ONLY_CURRENT_SEES_A_DUPLICATE);
    }
    if (currentBefore != null && !currentBefore.equals(current)) {
      return Optional.of(Difference.ONLY_SHADOW_SEES_A_DUPLICATE);
    }
    return Optional.empty();
  }
}

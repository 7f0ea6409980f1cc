package dev.semel.micrometer;

import dev.semel.InvalidInput;
import java.time.Duration;

/**
 * Limits the number of meters, and sets how often gauges are read.
 *
 * @param maxOperations how many operations get separate meters; further ones share {@code other}
 * @param maxDestinations how many destinations and consumers of messages get separate meters;
 *     further ones share {@code other}
 * @param sampleEvery how often to read the store's contents for the gauges
 */
public record MeterSettings(int maxOperations, int maxDestinations, Duration sampleEvery) {
  /** The tag's value for everything beyond a limit. */
  public static final String OTHER = "other";

  private static final MeterSettings DEFAULTS = new MeterSettings(100, 100, Duration.ofSeconds(30));

  public MeterSettings {
    if (maxOperations < 1 || maxDestinations < 1) {
      throw new InvalidInput("at least one operation and one destination must have meters");
    }
    if (sampleEvery.toMillis() < 1) {
      throw new InvalidInput("samples must be at least a millisecond apart");
    }
  }

  public static MeterSettings defaults() {
    return DEFAULTS;
  }

  public MeterSettings withMaxOperations(int value) {
    return new MeterSettings(value, maxDestinations, sampleEvery);
  }

  public MeterSettings withMaxDestinations(int value) {
    return new MeterSettings(maxOperations, value, sampleEvery);
  }

  public MeterSettings withSampleEvery(Duration value) {
    return new MeterSettings(maxOperations, maxDestinations, value);
  }
}

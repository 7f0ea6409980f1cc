package dev.semel.stream;

import dev.semel.InvalidInput;
import java.time.Duration;

/**
 * How much of each stream is kept. A sweep removes whole appends, the oldest first.
 *
 * @param bytes an append is removed once newer ones make up this much
 * @param age an append is removed once it is this old
 */
public record StreamRetention(long bytes, Duration age) {
  public static final StreamRetention FOR_EVER =
      new StreamRetention(Long.MAX_VALUE, Duration.ofMillis(Long.MAX_VALUE));

  public StreamRetention {
    if (bytes < 1 || !age.isPositive()) {
      throw new InvalidInput("the retention keeps nothing: name bytes and an age above zero");
    }
  }
}

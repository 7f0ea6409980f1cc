package dev.semel.advice;

import dev.semel.InvalidInput;
import dev.semel.internal.DurationText;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;

/**
 * What a recommended retention must achieve.
 *
 * @param percent the share of duplicates that it must still catch
 * @param leastRetention the shortest retention to recommend, however soon duplicates arrive: the
 *     counts do not include an outage of a sender
 */
public record AdviceCriteria(BigDecimal percent, Duration leastRetention) {
  public static final BigDecimal LEAST_PERCENT = BigDecimal.valueOf(50);
  public static final BigDecimal MOST_PERCENT = new BigDecimal("99.999");

  private static final BigDecimal ALL = BigDecimal.valueOf(100);
  private static final long LEAST_DUPLICATES = 100;

  private static final AdviceCriteria USUAL =
      new AdviceCriteria(new BigDecimal("99.9"), Duration.ofMinutes(10));

  public AdviceCriteria {
    if (percent.compareTo(LEAST_PERCENT) < 0 || percent.compareTo(MOST_PERCENT) > 0) {
      throw new InvalidInput(
          "a share of duplicates is from %s to %s percent, not %s"
              .formatted(LEAST_PERCENT, MOST_PERCENT, percent));
    }
    if (!leastRetention.isPositive()) {
      throw new InvalidInput(
          "a retention is longer than nothing, not " + DurationText.format(leastRetention));
    }
  }

  /** 99.9 percent, and at least ten minutes. */
  public static AdviceCriteria usual() {
    return USUAL;
  }

  public AdviceCriteria withPercent(BigDecimal percent) {
    return new AdviceCriteria(percent, leastRetention);
  }

  /**
   * The fewest duplicates for a recommendation: with fewer, the latest one might not be among them.
   */
  public long leastDuplicates() {
    long oneIsMissing = ALL.divide(ALL.subtract(percent), 0, RoundingMode.CEILING).longValue();
    return Math.max(LEAST_DUPLICATES, oneIsMissing);
  }

  /** Whether so many of all duplicates are enough. */
  public boolean metBy(long covered, long all) {
    return BigDecimal.valueOf(covered)
            .multiply(ALL)
            .compareTo(BigDecimal.valueOf(all).multiply(percent))
        >= 0;
  }
}

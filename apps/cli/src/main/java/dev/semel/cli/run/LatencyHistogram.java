package dev.semel.cli.run;

import java.util.Arrays;

/**
 * Counts durations in little memory: each is known to one part in sixteen. For one thread; the
 * histograms of several are merged afterwards.
 */
public final class LatencyHistogram {
  private static final int FINE_BITS = 4;
  private static final int FINE = 1 << FINE_BITS;

  private final long[] buckets = new long[(Long.SIZE - FINE_BITS) * FINE];
  private long count;
  private long longest;

  public void add(long nanos) {
    long value = Math.max(1, nanos);
    buckets[bucket(value)]++;
    count++;
    longest = Math.max(longest, value);
  }

  void add(LatencyHistogram other) {
    Arrays.setAll(buckets, i -> buckets[i] + other.buckets[i]);
    count += other.count;
    longest = Math.max(longest, other.longest);
  }

  private static int bucket(long value) {
    int magnitude = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(value) - 1 - FINE_BITS);
    return magnitude * FINE + (int) (value >>> magnitude);
  }

  /** The largest value in a bucket. */
  private static long limit(int bucket) {
    int magnitude = Math.max(0, bucket / FINE - 1);
    return ((bucket - (long) magnitude * FINE + 1) << magnitude) - 1;
  }

  long count() {
    return count;
  }

  public long longest() {
    return longest;
  }

  /** The duration that this percentage of calls did not exceed; zero without calls. */
  public long percentile(double percent) {
    long wanted = (long) Math.ceil(count * percent / 100);
    long seen = 0;
    for (int i = 0; i < buckets.length; i++) {
      seen += buckets[i];
      if (seen >= wanted && seen > 0) {
        return Math.min(longest, limit(i));
      }
    }
    return 0;
  }
}

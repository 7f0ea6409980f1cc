package dev.semel.cli.run;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/** The beginning of one of a command's output streams, and its whole length. */
public final class CapturedOutput {
  private final byte[] kept;
  private final long total;

  CapturedOutput(byte[] kept, long total) {
    this.kept = kept.clone();
    this.total = total;
  }

  public byte[] kept() {
    return kept.clone();
  }

  public long total() {
    return total;
  }

  boolean truncated() {
    return kept.length < total;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CapturedOutput c && total == c.total && Arrays.equals(kept, c.kept);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(kept) * 31 + Long.hashCode(total);
  }

  @Override
  public String toString() {
    return kept.length + " of " + total + " bytes";
  }

  /** Counts all bytes, keeps those that fit. One thread writes, another one reads. */
  static final class Recorder {
    private final int limit;
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
    private long total;

    Recorder(int limit) {
      this.limit = limit;
    }

    synchronized void add(byte[] bytes, int count) {
      kept.write(bytes, 0, Math.min(count, limit - kept.size()));
      total += count;
    }

    synchronized long total() {
      return total;
    }

    synchronized CapturedOutput captured() {
      return new CapturedOutput(kept.toByteArray(), total);
    }
  }
}

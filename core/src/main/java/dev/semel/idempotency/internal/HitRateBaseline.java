package dev.semel.idempotency.internal;

/**
 * The usual share of duplicates among an operation's requests, learned from its past, and whether
 * the current share is far from it. It is far at twice the usual share or half of it, and usual
 * again only when it has come well back, so that a share near the border is not reported
 * repeatedly. For one thread; needs no clock.
 */
public final class HitRateBaseline {
  /** With fewer requests than this, a share means nothing. */
  public static final int MIN_REQUESTS = 50;

  /** In percent: shares below this count as usual, however few there used to be. */
  public static final double LEAST = 20;

  private static final double FAR = 2;

  /** A deviation ends when the share is well on this side of where it began. */
  private static final double CALM = 0.8;

  private static final double LEARNING = 0.1;

  /** Learns more slowly during a deviation, which must not become usual before anyone saw it. */
  private static final double LEARNING_AWAY = 0.02;

  /** Where a share stands. */
  public enum Standing {
    USUAL,
    /** Far more than usual. */
    HIGH,
    /** Far less than usual. */
    LOW
  }

  private final double least;
  private final int lessons;
  private int learned;
  private double usual;
  private Standing standing = Standing.USUAL;

  /**
   * With these limits.
   *
   * @param least as {@link #LEAST}: no share below it is high, and where the usual one is below it
   *     none is low
   * @param lessons how many shares only teach before the first judgement; 0: the usual share is 0
   *     at first
   */
  public HitRateBaseline(double least, int lessons) {
    this.least = least;
    this.lessons = lessons;
  }

  /** The usual share in percent. */
  public double usual() {
    return usual;
  }

  /** The limit in percent above which a share is high. */
  public double high() {
    return Math.max(least, FAR * usual);
  }

  /** The limit in percent below which a share is low; 0 where none is. */
  public double low() {
    return usual < least ? 0 : usual / FAR;
  }

  public Standing standing() {
    return standing;
  }

  /** Judges one more share, in percent, by the earlier ones, and learns from it. */
  public Standing judge(double share) {
    if (learned < lessons) {
      learned++;
      usual += (share - usual) / learned;
      return standing;
    }
    standing = next(share);
    usual += (share - usual) * (standing == Standing.USUAL ? LEARNING : LEARNING_AWAY);
    return standing;
  }

  private Standing next(double share) {
    boolean stays =
        switch (standing) {
          case USUAL -> false;
          case HIGH -> share >= CALM * high();
          case LOW -> share <= low() / CALM;
        };
    if (stays) {
      return standing;
    }
    return share > high() ? Standing.HIGH : share < low() ? Standing.LOW : Standing.USUAL;
  }
}

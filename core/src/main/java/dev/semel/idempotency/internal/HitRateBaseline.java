package dev.semel.idempotency.internal;

/**
 * What share of an operation's requests are duplicates as a rule, learned from its own past, and
 * whether it is far from that now. It is far once the share is twice the usual, or half of it, and
 * as usual again only when it came well back, so that a share near a border does not tell the same
 * again and again. For one thread; knows no clock.
 */
public final class HitRateBaseline {
  /** With fewer requests than this a share says nothing. */
  public static final int MIN_REQUESTS = 50;

  /** Shares below this are all alike, however few there used to be; in percent. */
  public static final double LEAST = 20;

  private static final double FAR = 2;

  /** It is over when the share is well on this side of where it began. */
  private static final double CALM = 0.8;

  private static final double LEARNING = 0.1;

  /** Slower while it is far away: that must not become the usual before someone saw it. */
  private static final double LEARNING_AWAY = 0.02;

  /** Where a share is. */
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
   * @param least as {@link #LEAST}: no share below it is high, and where the usual one is below it
   *     none is low
   * @param lessons so many shares are only learned from; 0: the usual one is taken for none at all
   *     at first
   */
  public HitRateBaseline(double least, int lessons) {
    this.least = least;
    this.lessons = lessons;
  }

  /** In percent. */
  public double usual() {
    return usual;
  }

  /** Beyond this a share is high, in percent. */
  public double high() {
    return Math.max(least, FAR * usual);
  }

  /** Below this a share is low, in percent; 0 where none is. */
  public double low() {
    return usual < least ? 0 : usual / FAR;
  }

  public Standing standing() {
    return standing;
  }

  /** Judges one more share, in percent, by those before it, and learns from it. */
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

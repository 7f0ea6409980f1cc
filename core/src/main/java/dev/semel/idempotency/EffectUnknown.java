package dev.semel.idempotency;

/**
 * What work throws when it can't tell whether it took effect, such as a call that was sent and
 * never answered. The key is not given back: the next caller is told that the outcome is in doubt,
 * at once and not only when the lease ends (or runs again, where the policy says so).
 *
 * <p>Not for same-transaction mode: there all that the work wrote is undone, the key's record with
 * it, and a retry runs. What lies outside the database has no place in such work.
 */
public final class EffectUnknown extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public EffectUnknown(String message, Throwable cause) {
    super(message, cause);
  }
}

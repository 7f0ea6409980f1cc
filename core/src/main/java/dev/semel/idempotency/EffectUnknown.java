package dev.semel.idempotency;

/**
 * Thrown by work that can't tell whether it took effect, such as a call that was sent and never
 * answered. The key is not released: the next caller gets in doubt at once, without waiting for the
 * end of the lease (or runs again, where the policy says so).
 *
 * <p>Not for same-transaction mode: its rollback undoes everything that the work wrote, the key's
 * record included, and a retry runs. Such work must have no effect outside the database.
 */
public final class EffectUnknown extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public EffectUnknown(String message, Throwable cause) {
    super(message, cause);
  }
}

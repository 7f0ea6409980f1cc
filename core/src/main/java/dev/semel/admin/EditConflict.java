package dev.semel.admin;

/** Thrown when the data changed after the operator looked at it. Nothing was done. */
public final class EditConflict extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public EditConflict(String message) {
    super(message);
  }

  /** Throws unless the count is the one that the operator confirmed. */
  static void check(long count, long expected) {
    if (count != expected) {
      throw counted(count, expected);
    }
  }

  /**
   * Throws if there are fewer than the operator confirmed. For data that grows meanwhile, such as
   * expired records: the additional ones stay for the next time.
   */
  static void checkAtLeast(long count, long expected) {
    if (count < expected) {
      throw counted(count, expected);
    }
  }

  /** The count differs from the one that the operator confirmed. */
  public static EditConflict counted(long count, long expected) {
    return new EditConflict(
        "this would touch %d, not %d as you expected: look again, then expect %d"
            .formatted(count, expected, count));
  }
}

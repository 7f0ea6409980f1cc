package dev.semel.admin;

/** What was to be changed is not as whoever asked had seen it. Nothing was done. */
public final class EditConflict extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public EditConflict(String message) {
    super(message);
  }

  /** Nothing happens unless exactly so many are there as someone confirmed. */
  static void check(long count, long expected) {
    if (count != expected) {
      throw counted(count, expected);
    }
  }

  /** The same where more come by themselves while someone reads, and stay for the next time. */
  static void checkAtLeast(long count, long expected) {
    if (count < expected) {
      throw counted(count, expected);
    }
  }

  /** Someone confirmed another number than there is. */
  public static EditConflict counted(long count, long expected) {
    return new EditConflict(
        "this would touch %d, not %d as you expected: look again, then expect %d"
            .formatted(count, expected, count));
  }
}

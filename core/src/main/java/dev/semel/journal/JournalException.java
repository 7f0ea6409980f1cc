package dev.semel.journal;

import dev.semel.StoreException;

/** Thrown when a journal can't do what it was asked. The message says what to do about it. */
public abstract sealed class JournalException extends StoreException {
  private static final long serialVersionUID = 1L;

  private JournalException(String message) {
    super(message);
  }

  private JournalException(String message, Throwable cause) {
    super(message, cause);
  }

  /** Another process has the folder; the message names it. */
  public static final class InUse extends JournalException {
    private static final long serialVersionUID = 1L;

    public InUse(String message) {
      super(message);
    }
  }

  /** Committed data can't be read any more. Nothing was changed in the folder. */
  public static final class Damaged extends JournalException {
    private static final long serialVersionUID = 1L;

    public Damaged(String message) {
      super(
          message
              + ". Nothing was changed. Look at the disk, then restore the folder from a backup or a replica");
    }
  }

  /** The disk is nearly full. Nothing happened; once there is room, the call will work. */
  public static final class Full extends JournalException {
    private static final long serialVersionUID = 1L;

    public Full(String message) {
      super(message);
    }
  }

  /**
   * The disk failed, so nobody can know what it holds of the last batch. The journal refuses
   * everything from now on; opening it again finds out.
   */
  public static final class Failed extends JournalException {
    private static final long serialVersionUID = 1L;

    public Failed(String message, Throwable cause) {
      super(message, cause);
    }
  }
}

package dev.semel.journal;

import dev.semel.StoreException;

/** Why a journal does not do what it was asked. The message says what to do about it. */
public abstract sealed class JournalException extends StoreException {
  private static final long serialVersionUID = 1L;

  private JournalException(String message) {
    super(message);
  }

  private JournalException(String message, Throwable cause) {
    super(message, cause);
  }

  /** Someone else has the folder; the message names them. */
  public static final class InUse extends JournalException {
    private static final long serialVersionUID = 1L;

    public InUse(String message) {
      super(message);
    }
  }

  /** Something that was committed can't be read any more. Nothing was changed in the folder. */
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
   * The disk failed, so nobody knows what it holds of the last batch. The journal does nothing any
   * more; opening it again finds out.
   */
  public static final class Failed extends JournalException {
    private static final long serialVersionUID = 1L;

    public Failed(String message, Throwable cause) {
      super(message, cause);
    }
  }
}

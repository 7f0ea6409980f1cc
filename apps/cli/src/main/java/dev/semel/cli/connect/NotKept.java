package dev.semel.cli.connect;

/** The command could not be started, or failed and is to run again: its key is released. */
public final class NotKept extends Exception {
  private static final long serialVersionUID = 1L;

  private final int exitCode;

  public NotKept(int exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  public int exitCode() {
    return exitCode;
  }
}

package dev.semel.cli;

/** The command could not be started, or failed and is to run again: its key is given back. */
final class NotKept extends Exception {
  private static final long serialVersionUID = 1L;

  private final int exitCode;

  NotKept(int exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  int exitCode() {
    return exitCode;
  }
}

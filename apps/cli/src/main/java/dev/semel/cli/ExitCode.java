package dev.semel.cli;

/** Exit codes. Scripts rely on them, so they never change meaning. */
public final class ExitCode {
  public static final int OK = 0;
  public static final int FAILED = 1;

  /** Wrong flags, wrong input, or a question without a terminal to ask on. */
  public static final int USAGE = 2;

  public static final int NOT_FOUND = 3;

  /** In flight, in doubt, mismatch, or a token that does not hold the key. */
  public static final int CONFLICT = 4;

  /** The store can't be reached, or another process has locked it. */
  public static final int UNREACHABLE = 5;

  public static final int TIMEOUT = 6;

  /** By the convention of shells: the command of {@code run} exists but can't be executed. */
  public static final int NOT_EXECUTABLE = 126;

  /** By the convention of shells: the command of {@code run} does not exist. */
  public static final int NO_SUCH_COMMAND = 127;

  public static final int INTERRUPTED = 130;

  private ExitCode() {}
}

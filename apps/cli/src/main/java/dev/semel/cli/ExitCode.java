package dev.semel.cli;

/** What a command ends with. Scripts rely on these; they never change meaning. */
public final class ExitCode {
  public static final int OK = 0;
  public static final int FAILED = 1;

  /** Wrong flags, wrong input, or a question that nobody is there to answer. */
  public static final int USAGE = 2;

  public static final int NOT_FOUND = 3;

  /** In flight, in doubt, mismatch, or a token that does not hold the key. */
  public static final int CONFLICT = 4;

  /** The store can't be reached, or someone has locked it. */
  public static final int UNREACHABLE = 5;

  public static final int TIMEOUT = 6;

  /** As shells have it: the command of {@code run} is there but can't be executed. */
  public static final int NOT_EXECUTABLE = 126;

  /** As shells have it: there is no such command to run. */
  public static final int NO_SUCH_COMMAND = 127;

  public static final int INTERRUPTED = 130;

  private ExitCode() {}
}

package dev.semel.stream.internal.shared;

import dev.semel.stream.StreamPath;

/**
 * One message on its way to a shared log. It is sent as often as it takes, always the same bytes
 * and always behind the same message, so that it is there once at most.
 */
final class LogWrite {
  private final LogTransition what;
  private final long expected;
  private final byte[] message;
  private final WriteRound round;
  private final long deadline;
  private volatile boolean doubtful;

  /**
   * @param deadline in nanoseconds; then whoever waits is told that nobody knows
   */
  LogWrite(LogTransition what, long expected, WriteRound round, long deadline) {
    this.what = what;
    this.expected = expected;
    this.message = what.encode();
    this.round = round;
    this.deadline = deadline;
  }

  LogTransition what() {
    return what;
  }

  String id() {
    return what.attempt();
  }

  StreamPath path() {
    return what.path();
  }

  /** The sequence of the message that it is sent behind. */
  long expected() {
    return expected;
  }

  byte[] message() {
    return message;
  }

  WriteRound round() {
    return round;
  }

  /** Nobody knows what became of it the last time. */
  void doubt() {
    doubtful = true;
  }

  /** Whether it may be there already, or still come. */
  boolean doubtful() {
    return doubtful;
  }

  boolean overdue(long nanos) {
    return nanos - deadline >= 0;
  }

  @Override
  public String toString() {
    return path() + " behind " + expected;
  }
}

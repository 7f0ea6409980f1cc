package dev.semel.stream.internal.shared;

import dev.semel.stream.StreamPath;

/**
 * One message that is being written to a shared log. It is sent until its fate is known, always
 * with the same bytes and after the same message, so that it is stored at most once.
 */
final class LogWrite {
  private final LogTransition what;
  private final long expected;
  private final byte[] message;
  private final WriteRound round;
  private final long deadline;
  private volatile boolean doubtful;

  /**
   * One write.
   *
   * @param deadline in nanoseconds; after it the waiting callers get that the result is unknown
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

  /** The sequence of the message after which it is sent. */
  long expected() {
    return expected;
  }

  byte[] message() {
    return message;
  }

  WriteRound round() {
    return round;
  }

  /** The fate of the last try is unknown. */
  void doubt() {
    doubtful = true;
  }

  /** Whether it may be stored already, or still arrive. */
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

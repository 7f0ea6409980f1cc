package dev.semel.job;

import dev.semel.job.spi.JobQueue;
import java.io.PrintWriter;
import java.io.StringWriter;

/** The text of a failure, as a queue keeps it with a job. */
final class FailureTrace {
  private FailureTrace() {}

  /** The stack trace, cut to the length that a queue keeps. */
  static String of(Throwable failure) {
    StringWriter text = new StringWriter();
    failure.printStackTrace(new PrintWriter(text));
    return JobQueue.cut(text.toString().strip());
  }

  /** The exception's class and message in one line. */
  static String brief(Throwable failure) {
    return failure.toString().lines().findFirst().orElse("");
  }
}

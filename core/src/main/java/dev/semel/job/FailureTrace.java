package dev.semel.job;

import dev.semel.job.spi.JobQueue;
import java.io.PrintWriter;
import java.io.StringWriter;

/** A failure as it is kept with a job. */
final class FailureTrace {
  private FailureTrace() {}

  /** What was thrown and where, cut to what a queue keeps. */
  static String of(Throwable failure) {
    StringWriter text = new StringWriter();
    failure.printStackTrace(new PrintWriter(text));
    return JobQueue.cut(text.toString().strip());
  }

  /** The same in a line. */
  static String brief(Throwable failure) {
    return failure.toString().lines().findFirst().orElse("");
  }
}

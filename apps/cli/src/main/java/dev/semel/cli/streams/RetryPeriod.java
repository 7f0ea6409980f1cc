package dev.semel.cli.streams;

import dev.semel.StoreException;
import dev.semel.cli.Console;
import dev.semel.cli.run.OutOfTime;
import dev.semel.internal.DurationText;
import dev.semel.loop.internal.Backoff;
import dev.semel.stream.client.HttpStreams;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Limits how long a failing operation is tried again, from its first failure on. For one thread.
 */
public final class RetryPeriod {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

  private final Console console;
  private final Duration timeout;
  private @Nullable Backoff backoff;
  private long deadline;

  public RetryPeriod(Console console, Duration timeout) {
    this.console = console;
    this.timeout = timeout;
  }

  /** Called after a success. */
  public void restored() {
    backoff = null;
  }

  /**
   * Pauses before the next try.
   *
   * @param state what is known, for a user who must continue from there
   * @throws OutOfTime the time is over
   */
  public void afterFailure(StoreException failure, String state) {
    if (failure instanceof HttpStreams.NotAllowed) {
      throw failure; // a retry would be refused again
    }
    Backoff pauses = backoff;
    if (pauses == null) {
      pauses = new Backoff(FIRST_PAUSE, LONGEST_PAUSE);
      backoff = pauses;
      deadline = System.nanoTime() + timeout.toNanos();
      console.note(
          "%s. Trying again for %s".formatted(failure.getMessage(), DurationText.brief(timeout)));
    }
    if (!pauses.pauseUntil(deadline)) {
      throw new OutOfTime(
          "%s. No success within %s: %s"
              .formatted(failure.getMessage(), DurationText.brief(timeout), state),
          failure);
    }
  }
}

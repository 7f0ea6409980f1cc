package dev.semel.jdbc;

import dev.semel.InvalidInput;
import dev.semel.loop.Platform;
import dev.semel.loop.internal.Backoff;
import java.time.Duration;

/**
 * Settings of an {@link InboxWorker}.
 *
 * @param batch how many messages a worker takes at a time
 * @param lease how long the worker owns them; it gives unhandled ones back before that
 * @param maxAttempts after this many failures a message becomes a dead letter
 * @param firstPause the pause after the first failure; each later one is about twice as long
 * @param longestPause the upper limit of a pause
 * @param rest the pause when no message was due
 */
public record InboxWorkerSettings(
    int batch,
    Duration lease,
    int maxAttempts,
    Duration firstPause,
    Duration longestPause,
    Duration rest) {
  public static final int MAX_BATCH = 1000;

  public InboxWorkerSettings {
    if (batch < 1 || batch > MAX_BATCH) {
      throw new InvalidInput(
          "the worker's batch is %d: choose one from 1 to %d".formatted(batch, MAX_BATCH));
    }
    if (maxAttempts < 1) {
      throw new InvalidInput("a message must be tried at least once: raise the attempts");
    }
    if (lease.toMillis() < 100) {
      throw new InvalidInput("the worker's lease is too short: give it at least 100 ms");
    }
    if (firstPause.isNegative() || longestPause.compareTo(firstPause) < 0) {
      throw new InvalidInput("the longest pause must not be shorter than the first");
    }
    if (rest.toMillis() < 1) {
      throw new InvalidInput("the worker must rest for at least 1 ms when nothing is to do");
    }
  }

  public static InboxWorkerSettings defaults() {
    return new InboxWorkerSettings(
        100,
        Duration.ofSeconds(30),
        10,
        Duration.ofSeconds(1),
        Duration.ofMinutes(5),
        Duration.ofMillis(500));
  }

  public InboxWorkerSettings withMaxAttempts(int value) {
    return new InboxWorkerSettings(batch, lease, value, firstPause, longestPause, rest);
  }

  public InboxWorkerSettings withPauses(Duration first, Duration longest) {
    return new InboxWorkerSettings(batch, lease, maxAttempts, first, longest, rest);
  }

  public InboxWorkerSettings withLease(Duration value) {
    return new InboxWorkerSettings(batch, value, maxAttempts, firstPause, longestPause, rest);
  }

  Duration pauseAfter(int attempts) {
    return Backoff.pause(firstPause, longestPause, attempts, Platform.REAL::random);
  }
}

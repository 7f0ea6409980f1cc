package dev.semel.nats;

import dev.semel.StoreException;
import io.nats.client.JetStreamApiException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import org.jspecify.annotations.Nullable;

/** The server's clock: read periodically; between readings our own passing of time is added. */
final class ServerClock {
  private static final Duration ASK_EVERY = Duration.ofSeconds(30);

  /** A reading of the server's clock, with our own time at it. */
  private record Reading(Instant said, long nanos) {}

  private final JobStream stream;
  private volatile @Nullable Reading last;

  ServerClock(JobStream stream) {
    this.stream = stream;
  }

  Instant now() {
    Reading reading = last;
    if (reading == null || System.nanoTime() - reading.nanos() > ASK_EVERY.toNanos()) {
      reading = ask();
      last = reading;
    }
    return reading.said().plusNanos(System.nanoTime() - reading.nanos());
  }

  private Reading ask() {
    long before = System.nanoTime();
    try {
      ZonedDateTime said =
          stream.connection().jetStreamManagement().getStreamInfo(stream.name()).getTimestamp();
      if (said == null) {
        throw new StoreException("the server does not tell its time: use 2.10 or newer");
      }
      return new Reading(said.toInstant(), before + (System.nanoTime() - before) / 2);
    } catch (IOException | JetStreamApiException e) {
      throw new StoreException("the server's clock can't be read: try again", e);
    }
  }
}

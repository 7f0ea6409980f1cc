package dev.semel.loop;

import dev.semel.loop.internal.Backoff;
import java.time.Duration;
import java.util.Optional;

/** Pauses between retries during an outage, and how long the outage lasted. For one thread. */
public final class OutageBackoff {
  private record Since(long nanos, Backoff pauses) {}

  private final Platform platform;
  private final Duration first;
  private final Duration longest;
  private Optional<Since> since = Optional.empty();

  public OutageBackoff(Platform platform, Duration first, Duration longest) {
    this.platform = platform;
    this.first = first;
    this.longest = longest;
  }

  /** A try failed: how long to pause, in nanoseconds. */
  public long nextNanos() {
    Since began =
        since.orElseGet(() -> new Since(platform.nanos(), new Backoff(platform, first, longest)));
    since = Optional.of(began);
    return began.pauses().nextNanos();
  }

  /**
   * The outage is over.
   *
   * @return how long it lasted; empty: nothing had failed
   */
  public Optional<Duration> end() {
    if (since.isEmpty()) {
      return Optional.empty();
    }
    long nanos = platform.nanos() - since.get().nanos();
    since = Optional.empty();
    return Optional.of(Duration.ofNanos(nanos));
  }
}

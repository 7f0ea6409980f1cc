package dev.semel.cli.tui;

import dev.semel.loop.internal.Backoff;
import java.time.Duration;
import java.time.Instant;

/**
 * Whether the target answers.
 *
 * @param since when this state began
 * @param failures failed tries in a row
 * @param why message of the last failure; empty: none
 */
public record ConnectionState(State state, Instant since, int failures, String why) {
  /** Longest pause between two tries. */
  static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);

  public enum State {
    CONNECTING,
    CONNECTED,
    AWAY
  }

  static ConnectionState begin(Instant now) {
    return new ConnectionState(State.CONNECTING, now, 0, "");
  }

  public boolean away() {
    return state == State.AWAY;
  }

  ConnectionState answered(Instant now) {
    return state == State.CONNECTED ? this : new ConnectionState(State.CONNECTED, now, 0, "");
  }

  ConnectionState failed(Instant now, String reason) {
    return new ConnectionState(State.AWAY, away() ? since : now, failures + 1, reason);
  }

  /** Pause before the next try. */
  Duration pause() {
    return Backoff.pauseOfOne(FIRST_PAUSE, LONGEST_PAUSE, failures);
  }
}

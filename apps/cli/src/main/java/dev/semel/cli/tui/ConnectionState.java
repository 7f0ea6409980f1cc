package dev.semel.cli.tui;

import dev.semel.loop.internal.Backoff;
import java.time.Duration;
import java.time.Instant;

/**
 * Whether what is looked at answers.
 *
 * @param since when it came into this state
 * @param failures tries in a row that failed
 * @param why what the last of them said; empty while all is well
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

  /** How long to wait before the next try. */
  Duration pause() {
    return Backoff.pauseOfOne(FIRST_PAUSE, LONGEST_PAUSE, failures);
  }
}

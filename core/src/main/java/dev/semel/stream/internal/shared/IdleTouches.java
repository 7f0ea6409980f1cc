package dev.semel.stream.internal.shared;

import dev.semel.stream.internal.StreamChange;
import dev.semel.stream.internal.StreamState;
import dev.semel.stream.internal.StreamTable;
import dev.semel.stream.spi.StreamExpiry;

/**
 * When a read is worth a message that restarts the idle window for all engines. A window may
 * therefore end early, by one of its {@code PARTS} at most.
 */
public final class IdleTouches {
  /** The parts of an idle window. */
  private static final long PARTS = 20;

  private IdleTouches() {}

  static boolean due(StreamTable table, StreamChange touched) {
    StreamState state = table.incarnation(touched.stream());
    return state != null && due(state, touched.at());
  }

  public static boolean due(StreamState state, long now) {
    return state.config().expiry() instanceof StreamExpiry.Idle idle
        && now - state.touched() >= idle.seconds() * 1000 / PARTS;
  }
}

package dev.semel.stream.internal.shared;

import dev.semel.stream.internal.StreamChange;
import dev.semel.stream.internal.StreamState;
import dev.semel.stream.internal.StreamTable;
import dev.semel.stream.spi.StreamExpiry;

/**
 * When the beginning of an idle window is worth a message to everyone. A window is that much
 * shorter at worst.
 */
public final class IdleTouches {
  /** Parts of an idle window. */
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

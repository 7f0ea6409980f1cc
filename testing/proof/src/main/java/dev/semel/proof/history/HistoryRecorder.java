package dev.semel.proof.history;

import dev.semel.Key;

/**
 * Writes down what one client does: a call before it is made, its answer after it came, so that the
 * call of a client who dies in between is known to have been under way. Safe for many threads.
 */
public interface HistoryRecorder {
  /** Before the call. Returns what {@link #end} wants to have. */
  long begin(Key key, RecordedAction action);

  /** After it. Not called where the client died. */
  void end(long call, RecordedAnswer answer);

  /** Before the effect is owned to anyone: what is written here has happened. */
  void effect(Key key, int attempt, boolean takenOver, String value);
}

package dev.semel.proof.history;

import dev.semel.Key;

/**
 * Records one client's calls: each before it is made, and its answer afterwards, so that a call
 * shows up even if its client dies in between. Safe for many threads.
 */
public interface HistoryRecorder {
  /**
   * Called before the call.
   *
   * @return an id for {@link #end}
   */
  long begin(Key key, RecordedAction action);

  /** Called after the call; not if the client died. */
  void end(long call, RecordedAnswer answer);

  /** Called before anyone may rely on the effect: a recorded effect has happened. */
  void effect(Key key, int attempt, boolean takenOver, String value);
}

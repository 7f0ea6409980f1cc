package dev.semel.proof.history;

import java.util.List;

/** Checks one promise against a recorded history. */
public interface HistoryChecker {
  /** The promise, in a few words, such as {@code one accepted completion per key and attempt}. */
  String promise();

  /** The violations of the promise; empty: none. */
  List<Violation> check(History history);
}

package dev.semel.proof.history;

import java.util.List;

/** One promise, as a judgement of what was recorded. */
public interface HistoryChecker {
  /** The promise, in a few words, such as {@code one accepted completion per key and attempt}. */
  String promise();

  /** What broke it; empty where nothing did. */
  List<Violation> check(History history);
}

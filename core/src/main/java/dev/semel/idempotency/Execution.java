package dev.semel.idempotency;

import dev.semel.Key;
import dev.semel.Token;

/**
 * The running execution, as its work sees it: key, attempt, policy, and whether the key is still
 * held. Work may pass it to the threads that it uses.
 */
public interface Execution {
  Key key();

  /**
   * 1 for the first attempt; more after a release or a takeover; 0 where nothing protects the work.
   */
  int attempt();

  /** An earlier attempt may have taken effect: its lease ended without a result. */
  boolean takenOver();

  Token token();

  /** The policy of this execution: the request's, with the operators' settings applied. */
  ExecutionPolicy policy();

  /**
   * Whether the work's writes commit together with its record, in a transaction of the thread that
   * runs it. Writes from other threads are not part of it.
   */
  default boolean inTransaction() {
    return false;
  }

  /**
   * Pass this to systems that deduplicate, such as a payment provider; it is the same for every
   * attempt.
   */
  default String effectKey() {
    return key().effectKey();
  }

  /**
   * Whether the key is still held, by this machine's monotonic clock. Ask before an irrevocable
   * step; false means that another caller may have taken over.
   */
  boolean held();
}

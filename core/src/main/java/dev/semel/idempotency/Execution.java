package dev.semel.idempotency;

import dev.semel.Key;
import dev.semel.Token;

/** What a running piece of work knows about itself. Safe to hand to the threads it uses. */
public interface Execution {
  Key key();

  /** 1 for the first; more after a release or a takeover; 0 where nothing protects it. */
  int attempt();

  /** An earlier attempt may have taken effect: its holder's lease ended without a word. */
  boolean takenOver();

  Token token();

  /** By which it runs: the request's own, with what operators have set in place of it. */
  ExecutionPolicy policy();

  /**
   * Whether what it writes commits together with its record, in a transaction of the thread that it
   * runs on. Other threads have no part in that.
   */
  default boolean inTransaction() {
    return false;
  }

  /** Pass this on to systems that deduplicate by themselves; the same for every attempt. */
  default String effectKey() {
    return key().effectKey();
  }

  /**
   * Whether the key is still held, by this machine's monotonic clock. Work that is about to do
   * something irrevocable asks first; false means that another may have taken over.
   */
  boolean held();
}

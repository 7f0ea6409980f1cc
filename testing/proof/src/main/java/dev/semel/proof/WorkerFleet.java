package dev.semel.proof;

import dev.semel.StoreException;
import dev.semel.proof.fault.FaultVictims;
import dev.semel.proof.history.History;

/** The workers of a run on a store, wherever they live. For one thread. */
interface WorkerFleet extends FaultVictims, AutoCloseable {
  /**
   * Returns when every worker has opened the store.
   *
   * @throws StoreException when one can't
   */
  void awaitReady();

  /** Lets them ask. */
  void go(long beganNanos);

  /**
   * Lets them finish what they are at, and end.
   *
   * @throws IllegalStateException when one failed in a way that no fault explains
   */
  void finish();

  /** What they wrote down. */
  History history();

  @Override
  void close();
}

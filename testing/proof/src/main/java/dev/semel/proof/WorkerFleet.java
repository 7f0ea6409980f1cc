package dev.semel.proof;

import dev.semel.StoreException;
import dev.semel.proof.fault.FaultVictims;
import dev.semel.proof.history.History;

/** The workers of a run on a store, as processes or threads. For one thread. */
interface WorkerFleet extends FaultVictims, AutoCloseable {
  /**
   * Returns when every worker has opened the store.
   *
   * @throws StoreException when one can't
   */
  void awaitReady();

  /** Starts the workers' calls. */
  void go(long beganNanos);

  /**
   * Lets the workers finish their current calls, and end.
   *
   * @throws IllegalStateException when one failed in a way that no fault explains
   */
  void finish();

  /** The recorded history. */
  History history();

  @Override
  void close();
}

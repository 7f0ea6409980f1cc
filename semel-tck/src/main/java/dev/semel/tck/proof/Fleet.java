package dev.semel.tck.proof;

import dev.semel.StoreException;
import dev.semel.tck.history.History;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** The workers of a run, wherever they live. For one thread. */
interface Fleet extends AutoCloseable {
  /**
   * Returns when every worker has opened the store.
   *
   * @throws StoreException when one can't
   */
  void awaitReady();

  /** Lets them ask. */
  void go(long beganNanos);

  /** The fault begins for one worker, of which {@code number} counts from 0. */
  void strike(Fault fault, int number, RandomGenerator random);

  /**
   * And is over. Returns when the worker is itself again.
   *
   * @param limit how long that may take; after it, the worker stays away
   */
  void heal(Fault fault, int number, Duration limit);

  /** How often a key was asked for so far. */
  long executions();

  /** Lets them finish what they are at, and end. */
  void finish();

  /** What they wrote down. */
  History history();

  @Override
  void close();
}

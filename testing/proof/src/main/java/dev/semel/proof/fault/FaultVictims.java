package dev.semel.proof.fault;

import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/** The processes that faults happen to, numbered from 0. For one thread. */
public interface FaultVictims {
  /** The numbers that this fault can happen to. */
  List<Integer> whom(ProcessFault fault);

  String name(int number);

  /**
   * Starts a fault for one of them.
   *
   * @return the connection that fails; empty: the process itself
   */
  String strike(ProcessFault fault, int number, RandomGenerator random);

  /**
   * Ends a fault. Returns when the process has recovered.
   *
   * @param limit how long recovery may take; after that the process stays down
   */
  void heal(ProcessFault fault, int number, Duration limit);

  /** The number of executions so far. */
  long executions();
}

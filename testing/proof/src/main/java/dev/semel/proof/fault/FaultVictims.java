package dev.semel.proof.fault;

import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/** Those to whom faults happen, counted from 0. For one thread. */
public interface FaultVictims {
  /** To whom this fault can happen. */
  List<Integer> whom(ProcessFault fault);

  String name(int number);

  /**
   * The fault begins for one of them.
   *
   * @return which of its ways to others fails; empty: it itself
   */
  String strike(ProcessFault fault, int number, RandomGenerator random);

  /**
   * And is over. Returns when it is itself again.
   *
   * @param limit how long that may take; after it, it stays away
   */
  void heal(ProcessFault fault, int number, Duration limit);

  /** How much they have done so far. */
  long executions();
}

package dev.semel.proof.simulation;

/** What may happen to a call of the store. */
enum NetworkFault {
  /** The request never arrives. */
  LOST_REQUEST,
  /** It is done, but the caller never hears of it. */
  LOST_ANSWER,
  /** The caller gives up, and then it is done after all. */
  DONE_LATER,
  SLOW_REQUEST,
  SLOW_ANSWER,
  /** The caller's whole process sleeps before the request leaves it. */
  STOPPED_BEFORE,
  /** The same when the answer has come. */
  STOPPED_AFTER,
  /** The caller's process dies before the request leaves it. */
  KILLED_BEFORE,
  /** The same when it is done, and before anyone hears of it. */
  KILLED_AFTER
}

package dev.semel.proof.simulation;

/** A fault of one call to the store. */
enum NetworkFault {
  /** The request never arrives. */
  LOST_REQUEST,
  /** The call takes effect, but the caller never gets the answer. */
  LOST_ANSWER,
  /** The caller gives up, and the call takes effect afterwards. */
  DONE_LATER,
  SLOW_REQUEST,
  SLOW_ANSWER,
  /** The caller's process freezes before it sends the request. */
  STOPPED_BEFORE,
  /** The caller's process freezes after the answer arrived. */
  STOPPED_AFTER,
  /** The caller's process dies before it sends the request. */
  KILLED_BEFORE,
  /** The caller's process dies after the call took effect, and before the answer arrives. */
  KILLED_AFTER
}

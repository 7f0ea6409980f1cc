package dev.semel.advice;

/** The topic of an advice. Programs rely on these values; they never change meaning. */
public enum AdviceTopic {
  /** Records are kept for much longer than duplicates arrive. */
  RETENTION_TOO_LONG,
  /** Duplicates arrive until the retention ends, so more of them arrive after it, unseen. */
  RETENTION_TOO_SHORT,
  /** Work took longer than its record was kept. */
  WORK_OUTLIVES_RECORD,
  /** Many requests, but never a duplicate. */
  KEYS_DRAWN_ANEW,
  /** The same key comes with different requests. */
  KEY_TOO_NARROW,
  /** Many duplicates are refused because the first one still runs. */
  DUPLICATES_COULD_WAIT,
  /** Holders lose their keys while they still run. */
  LEASE_TOO_SHORT,
  /** Leases end without a result. */
  HOLDERS_LOST,
  /** Duplicates are counted, but run. */
  ONLY_OBSERVED,
  /** One tenant sends far more duplicates than the others. */
  EAGER_SENDER,
  /** How a broker is set up. */
  BROKER
}

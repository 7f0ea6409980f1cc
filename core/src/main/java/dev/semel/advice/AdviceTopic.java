package dev.semel.advice;

/** What an advice is about. Programs rely on these; they never change meaning. */
public enum AdviceTopic {
  /** Records are kept for much longer than duplicates arrive. */
  RETENTION_TOO_LONG,
  /** Duplicates arrive until the retention ends, so more of them arrive after it, unseen. */
  RETENTION_TOO_SHORT,
  /** Work took longer than its record was kept. */
  WORK_OUTLIVES_RECORD,
  /** Many requests and never a duplicate. */
  KEYS_DRAWN_ANEW,
  /** The same key comes with different requests. */
  KEY_TOO_NARROW,
  /** Many duplicates are refused because the first one still runs. */
  DUPLICATES_COULD_WAIT,
  /** Holders lose their keys while they live. */
  LEASE_TOO_SHORT,
  /** Holders end without a word. */
  HOLDERS_LOST,
  /** Duplicates are counted, and run. */
  ONLY_OBSERVED,
  /** One tenant sends far more duplicates than the others. */
  EAGER_SENDER,
  /** How a broker is set up. */
  BROKER
}

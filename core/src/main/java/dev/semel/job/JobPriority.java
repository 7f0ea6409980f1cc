package dev.semel.job;

/** Which jobs of a queue run first; within one priority, those that were due first. */
public enum JobPriority {
  HIGH,
  NORMAL,
  /** Runs only when nothing else is due. */
  LOW
}

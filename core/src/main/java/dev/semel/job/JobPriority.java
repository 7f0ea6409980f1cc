package dev.semel.job;

/** Which job of a queue goes first; within one priority, the one that was due first. */
public enum JobPriority {
  HIGH,
  NORMAL,
  /** Waits as long as there is anything else. */
  LOW
}

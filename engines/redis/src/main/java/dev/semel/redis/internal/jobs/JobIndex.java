package dev.semel.redis.internal.jobs;

import dev.semel.job.spi.JobState;

/** The sorted sets of a shard; each job is in one of them. */
public enum JobIndex {
  HIGH(":0", JobState.PENDING, "P"),
  NORMAL(":1", JobState.PENDING, "P"),
  LOW(":2", JobState.PENDING, "P"),
  LEASED(":l", JobState.PROCESSING, "W"),
  COMPLETED(":c", JobState.COMPLETED, "C"),
  FAILED(":f", JobState.FAILED, "FG"),
  IN_DOUBT(":d", JobState.IN_DOUBT, "D");

  private final String suffix;
  private final JobState state;
  private final String codes;

  JobIndex(String suffix, JobState state, String codes) {
    this.suffix = suffix;
    this.state = state;
    this.codes = codes;
  }

  public String suffix() {
    return suffix;
  }

  JobState state() {
    return state;
  }

  /** The state codes of the records in this set. */
  String codes() {
    return codes;
  }

  static JobState state(byte code) {
    for (JobIndex index : values()) {
      if (index.codes.indexOf(code) >= 0) {
        return index.state;
      }
    }
    throw new IllegalArgumentException("no state has the code " + code);
  }
}

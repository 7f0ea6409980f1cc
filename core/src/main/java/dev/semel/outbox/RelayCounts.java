package dev.semel.outbox;

/** What a relay did since it started, for who watches. */
public record RelayCounts(long published, long duplicates, long failed, long dead, int inFlight) {
  public static final RelayCounts NONE = new RelayCounts(0, 0, 0, 0, 0);
}

package dev.semel.stream;

/** Counts what an engine does. Guarded by its engine. */
final class EngineCounts {
  private long appends;
  private long duplicates;
  private long fenced;
  private long refused;
  private long bytesIn;
  private long commits;

  /** Only of what was committed: an append whose commit failed may be there or not. */
  void answered(AppendRequest append, StreamResult.ToAppend answer) {
    if (answer instanceof StreamResult.Appended || answer instanceof StreamResult.Closed) {
      appends++;
      bytesIn += append.body().length();
    } else if (answer instanceof StreamResult.Duplicate) {
      duplicates++;
    } else if (answer instanceof StreamResult.StaleEpoch) {
      fenced++;
    } else {
      refused++;
    }
  }

  void committed() {
    commits++;
  }

  StreamCounts with(long streams, long journalBytes) {
    return new StreamCounts(
        appends, duplicates, fenced, refused, bytesIn, commits, streams, journalBytes);
  }
}

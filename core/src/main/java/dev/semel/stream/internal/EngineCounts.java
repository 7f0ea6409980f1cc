package dev.semel.stream.internal;

import dev.semel.stream.spi.AppendRequest;
import dev.semel.stream.spi.StreamCounts;
import dev.semel.stream.spi.StreamResult;

/** The counts of an engine. The engine guards it. */
public final class EngineCounts {
  private long appends;
  private long duplicates;
  private long fenced;
  private long refused;
  private long bytesIn;
  private long commits;

  /** Call it only after the commit: an append whose commit failed may or may not be there. */
  public void answered(AppendRequest append, StreamResult.ToAppend answer) {
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

  public void committed() {
    commits++;
  }

  public StreamCounts with(long streams, long journalBytes) {
    return new StreamCounts(
        appends, duplicates, fenced, refused, bytesIn, commits, streams, journalBytes);
  }
}

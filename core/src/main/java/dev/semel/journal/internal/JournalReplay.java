package dev.semel.journal.internal;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/**
 * Takes in what a journal holds when it is opened. All that it is given is on disk for good; if
 * opening fails half way, what was taken in is to be forgotten.
 */
public interface JournalReplay {
  /** Comes first, if there is a snapshot; records before {@code from} are in it. */
  void snapshot(long from, InputStream content) throws IOException;

  /**
   * Comes for each record that is in no snapshot, in order.
   *
   * @param payload good for this call only
   */
  void record(long lsn, ByteBuffer payload) throws IOException;
}

package dev.semel.journal.internal;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/**
 * Receives the content of a journal when it is opened. All of it is durable; if opening fails half
 * way, discard what was received.
 */
public interface JournalReplay {
  /** Called first, if there is a snapshot; records before {@code from} are in it. */
  void snapshot(long from, InputStream content) throws IOException;

  /**
   * Called for each record that is in no snapshot, in order.
   *
   * @param payload valid for this call only
   */
  void record(long lsn, ByteBuffer payload) throws IOException;
}

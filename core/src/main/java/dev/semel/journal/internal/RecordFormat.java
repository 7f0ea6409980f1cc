package dev.semel.journal.internal;

import dev.semel.loop.Platform;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The format of a record on disk: length, checksum, number, last forced number, payload, zeros up
 * to a multiple of {@value #ALIGNMENT}. For one thread at a time.
 *
 * <p>Numbers are mixed with the journal's id, which is secret, so that no payload can be made to
 * look like records.
 */
final class RecordFormat {
  static final int ALIGNMENT = 8;

  /** Length and checksum (4 each), number and last forced number (8 each). */
  static final int RECORD_HEADER = 24;

  private final long id;
  private final boolean numbered;
  private final CRC32C crc = new CRC32C();
  private final byte[] covered = new byte[RECORD_HEADER - Integer.BYTES];
  private final ByteBuffer header = ByteBuffer.wrap(covered);

  /**
   * A format.
   *
   * @param numbered whether the checksum covers the number; a simulation shows what happens if not
   */
  RecordFormat(long id, boolean numbered) {
    this.id = id;
    this.numbered = numbered;
  }

  /** The format of a new journal. */
  static RecordFormat fresh(Platform platform) {
    return new RecordFormat(platform.random(Long.MAX_VALUE), true);
  }

  /** The format of an existing journal. */
  RecordFormat withId(long found) {
    return new RecordFormat(found, numbered);
  }

  long id() {
    return id;
  }

  static long sizeOf(int length) {
    return (RECORD_HEADER + (long) length + ALIGNMENT - 1) & -ALIGNMENT;
  }

  /** Mixes and unmixes. */
  long mixed(long lsn) {
    return lsn ^ id;
  }

  /** The checksum of a record; reads the payload to its limit. */
  int checksum(int length, long lsn, long forced, ByteBuffer payload) {
    header.clear();
    header.putInt(length).putLong(numbered ? mixed(lsn) : 0).putLong(forced);
    crc.reset();
    crc.update(covered);
    crc.update(payload);
    return (int) crc.getValue();
  }
}

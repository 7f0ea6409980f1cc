package dev.semel.journal.internal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * The first block of a segment in use. It is forced before the segment's first record is written,
 * and after all records with lower numbers were forced.
 *
 * @param id the journal's
 * @param first the number of its first record
 * @param bytes the size of the whole segment
 */
record SegmentHeader(long id, long first, long bytes) {
  /** A separate block, so that no write of records can tear it. */
  static final int BYTES = 4096;

  private static final long MAGIC = 0x53454D454C4A3031L; // SEMELJ01
  private static final int CONTENT = 4 * Long.BYTES;

  /** Empty: the segment is new, or its header can't be read. */
  static Optional<SegmentHeader> read(JournalDisk.File file) throws IOException {
    ByteBuffer block = ByteBuffer.allocate(CONTENT + Integer.BYTES);
    file.read(block, 0);
    if (block.hasRemaining()) {
      return Optional.empty();
    }
    block.flip();
    if (block.getLong() != MAGIC) {
      return Optional.empty();
    }
    SegmentHeader header = new SegmentHeader(block.getLong(), block.getLong(), block.getLong());
    return block.getInt() == checksum(block) ? Optional.of(header) : Optional.empty();
  }

  void write(JournalDisk.File file) throws IOException {
    ByteBuffer block = ByteBuffer.allocate(BYTES);
    block.putLong(MAGIC).putLong(id).putLong(first).putLong(bytes).putInt(checksum(block)).clear();
    file.write(block, 0);
  }

  private static int checksum(ByteBuffer block) {
    CRC32C crc = new CRC32C();
    crc.update(block.slice(0, CONTENT));
    return (int) crc.getValue();
  }
}

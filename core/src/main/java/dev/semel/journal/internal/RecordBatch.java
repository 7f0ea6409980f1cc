package dev.semel.journal.internal;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Records that are being written into a segment: collected in one buffer, which is written when it
 * is full or the batch is committed. A record may be larger than the buffer.
 */
final class RecordBatch implements Closeable {
  private static final byte[] PADDING = new byte[RecordFormat.ALIGNMENT];

  private final ByteBuffer buffer;
  private final RecordFormat format;
  private JournalDisk.File file;
  private long position;
  private long size;

  /**
   * Starts in this file.
   *
   * @param position where the buffer's first byte will be in the file
   */
  RecordBatch(int bytes, RecordFormat format, JournalDisk.File file, long position)
      throws IOException {
    this.buffer = ByteBuffer.allocateDirect(Math.max(bytes, RecordFormat.RECORD_HEADER));
    this.format = format;
    this.file = file;
    this.position = position;
    this.size = file.size();
  }

  boolean fits(int length) {
    return position + buffer.position() + RecordFormat.sizeOf(length) <= size;
  }

  /** Adds a record with the remaining bytes of the payload. */
  void add(long lsn, long forced, ByteBuffer payload) throws IOException {
    int start = payload.position();
    int length = payload.remaining();
    int checksum = format.checksum(length, lsn, forced, payload);
    payload.position(start);
    room(RecordFormat.RECORD_HEADER);
    buffer.putInt(length).putInt(checksum).putLong(format.mixed(lsn)).putLong(forced);
    while (payload.remaining() > buffer.remaining()) {
      int part = buffer.remaining();
      buffer.put(buffer.position(), payload, payload.position(), part);
      buffer.position(buffer.limit());
      payload.position(payload.position() + part);
      write();
    }
    buffer.put(payload);
    int padding = (int) (RecordFormat.sizeOf(length) - RecordFormat.RECORD_HEADER - length);
    room(padding);
    buffer.put(PADDING, 0, padding);
  }

  private void room(int bytes) throws IOException {
    if (buffer.remaining() < bytes) {
      write();
    }
  }

  private void write() throws IOException {
    int bytes = buffer.position();
    file.write(buffer.flip(), position);
    position += bytes;
    buffer.clear();
  }

  /** Forces all added records to disk. */
  void force() throws IOException {
    write();
    file.force();
  }

  /** Continues after the header of another segment. All added records must have been forced. */
  void moveTo(JournalDisk.File next) throws IOException {
    file.close();
    file = next;
    position = SegmentHeader.BYTES;
    size = next.size();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}

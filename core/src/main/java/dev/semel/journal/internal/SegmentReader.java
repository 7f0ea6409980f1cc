package dev.semel.journal.internal;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Reads a segment record by record, and searches for records after a damaged one. */
final class SegmentReader {
  private static final int WINDOW = 256 << 10;

  private final JournalDisk.File file;
  private final long size;
  private final RecordFormat format;
  private ByteBuffer window;
  private long windowAt;
  private long position = SegmentHeader.BYTES;
  private long forced;
  private int payloadAt;
  private int length;

  SegmentReader(JournalDisk.File file, RecordFormat format) throws IOException {
    this.file = file;
    this.size = file.size();
    this.format = format;
    this.window = ByteBuffer.allocate((int) Math.min(WINDOW, Math.max(size, 1))).limit(0);
  }

  /** Where the next record begins, or should. */
  long position() {
    return position;
  }

  /** The last forced number in the record that was just read. */
  long forced() {
    return forced;
  }

  /** The payload of the record that was just read; valid until the next is read. */
  ByteBuffer payload() {
    return window.slice(payloadAt, length).asReadOnlyBuffer();
  }

  /** Whether the next record is intact and has that number; if not, the position stays. */
  boolean next(long lsn) throws IOException {
    if (!isRecord(position, lsn)) {
      return false;
    }
    position += RecordFormat.sizeOf(length);
    return true;
  }

  private boolean isRecord(long at, long lsn) throws IOException {
    if (at + RecordFormat.RECORD_HEADER > size) {
      return false;
    }
    length = window(at, RecordFormat.RECORD_HEADER).getInt(offset(at));
    if (length <= 0 || at + RecordFormat.sizeOf(length) > size) {
      return false;
    }
    ByteBuffer record = window(at, RecordFormat.RECORD_HEADER + length);
    int checksum = record.getInt(offset(at) + 4);
    forced = record.getLong(offset(at) + 16);
    payloadAt = offset(at) + RecordFormat.RECORD_HEADER;
    return checksum == format.checksum(length, lsn, forced, record.slice(payloadAt, length));
  }

  /**
   * Whether there is, from the position on, an intact record with at least that number and at least
   * that last forced number.
   */
  boolean finds(long lowest, long lowestForced) throws IOException {
    long highest = lowest + size / RecordFormat.RECORD_HEADER;
    for (long at = position;
        at + RecordFormat.RECORD_HEADER <= size;
        at += RecordFormat.ALIGNMENT) {
      ByteBuffer here = window(at, RecordFormat.RECORD_HEADER);
      long lsn = format.mixed(here.getLong(offset(at) + 8));
      if (lsn >= lowest
          && lsn <= highest
          && here.getLong(offset(at) + 16) >= lowestForced
          && isRecord(at, lsn)) {
        return true;
      }
    }
    return false;
  }

  /** Whether only zeros follow the header. */
  boolean isBlank() throws IOException {
    for (long at = SegmentHeader.BYTES; at < size; at++) {
      if (window(at, 1).get(offset(at)) != 0) {
        return false;
      }
    }
    return true;
  }

  private int offset(long at) {
    return (int) (at - windowAt);
  }

  /** Reads at least this many bytes from there into the window. */
  private ByteBuffer window(long at, int bytes) throws IOException {
    if (at < windowAt || at + bytes > windowAt + window.limit()) {
      if (bytes > window.capacity()) {
        window = ByteBuffer.allocate(bytes);
      }
      window.clear();
      windowAt = at;
      file.read(window, at);
      window.flip();
    }
    return window;
  }
}

package dev.semel.journal.internal;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/** A part of a file, read in large pieces. Closing it leaves the file open. */
final class FileInput extends InputStream {
  private static final int BUFFER = 64 << 10;

  private final JournalDisk.File file;
  private final long end;
  private final ByteBuffer buffer;
  private long position;

  FileInput(JournalDisk.File file, long start, long end) {
    this.file = file;
    this.position = start;
    this.end = end;
    this.buffer = ByteBuffer.allocate((int) Math.min(BUFFER, Math.max(end - start, 1))).limit(0);
  }

  @Override
  public int read() throws IOException {
    return fill() ? buffer.get() & 0xFF : -1;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (!fill()) {
      return -1;
    }
    int part = Math.min(length, buffer.remaining());
    buffer.get(into, offset, part);
    return part;
  }

  private boolean fill() throws IOException {
    if (!buffer.hasRemaining() && position < end) {
      buffer.clear().limit((int) Math.min(buffer.capacity(), end - position));
      file.read(buffer, position);
      buffer.flip();
      position += buffer.limit();
    }
    return buffer.hasRemaining();
  }
}

package dev.semel.journal.internal;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/** Writes a file from its start, in large pieces. Closing it leaves the file open. */
final class FileOutput extends OutputStream {
  private static final int BUFFER = 64 << 10;

  private final JournalDisk.File file;
  private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER);
  private long position;

  FileOutput(JournalDisk.File file) {
    this.file = file;
  }

  @Override
  public void write(int value) throws IOException {
    if (!buffer.hasRemaining()) {
      flush();
    }
    buffer.put((byte) value);
  }

  @Override
  public void write(byte[] from, int offset, int length) throws IOException {
    int done = 0;
    while (done < length) {
      if (!buffer.hasRemaining()) {
        flush();
      }
      int part = Math.min(length - done, buffer.remaining());
      buffer.put(from, offset + done, part);
      done += part;
    }
  }

  @Override
  public void flush() throws IOException {
    int bytes = buffer.position();
    file.write(buffer.flip(), position);
    position += bytes;
    buffer.clear();
  }

  @Override
  public void close() throws IOException {
    flush();
  }
}

package dev.semel.stream.spi;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * A range of unchanging bytes in an open file. The file stays open, and the bytes stay, until this
 * is closed, whatever happens to the stream.
 */
public final class FilePart implements AutoCloseable {
  private final FileChannel channel;
  private final long position;
  private final long length;
  private final Runnable release;

  public FilePart(FileChannel channel, long position, long length, Runnable release) {
    this.channel = channel;
    this.position = position;
    this.length = length;
    this.release = release;
  }

  /** Shared with other readers: don't close or position it. */
  public FileChannel channel() {
    return channel;
  }

  public long position() {
    return position;
  }

  public long length() {
    return length;
  }

  /**
   * Reads some of its bytes.
   *
   * @param from counted from its beginning
   * @throws IOException also if the file is shorter than it was
   */
  public ByteBuffer read(long from, int count) throws IOException {
    ByteBuffer into = ByteBuffer.allocate(count);
    while (into.hasRemaining()) {
      if (channel.read(into, position + from + into.position()) < 0) {
        throw new EOFException("the file is shorter than it was");
      }
    }
    return into.flip();
  }

  /** Call it once. */
  @Override
  public void close() {
    release.run();
  }
}
